import { expect, test } from "vitest";
import * as ObjectKey from "./object-key.ts";
import * as StoredValue from "./stored-value.ts";

test("build makes a key from the user id and the time of the upload", () => {
  expect(ObjectKey.build({ userId: "usr_1", unixTimestampMs: 1_769_817_600_123 })).toBe(
    "avatars/usr_1/1769817600123.webp",
  );
});

test("parse returns the parts that build was given", () => {
  const parts = { userId: "a-B_9", unixTimestampMs: 0 };
  expect(ObjectKey.parse(ObjectKey.build(parts))).toEqual(parts);
});

test.each(["", "a/b", "..", "a b", "ü", "x".repeat(65)])("build throws for the user id %j", (userId) => {
  expect(() => ObjectKey.build({ userId, unixTimestampMs: 1 })).toThrow("user id");
});

test.each([-1, 1.5, Number.NaN, 2 ** 53])("build throws for the time %j", (unixTimestampMs) => {
  expect(() => ObjectKey.build({ userId: "usr_1", unixTimestampMs })).toThrow("milliseconds");
});

test.each([
  "",
  "avatars/usr_1/1.png",
  "avatars/usr_1/1.webp/",
  "avatars//1.webp",
  "avatars/../1.webp",
  "avatars/usr_1/../1.webp",
  "/avatars/usr_1/1.webp",
  "avatars/usr_1/01.webp",
  "avatars/usr_1/-1.webp",
  "avatars/usr_1/1e3.webp",
  "avatars/usr_1/99999999999999999.webp",
  "avatars/usr_1/1.webp\n",
  "reports/usr_1/1.webp",
  `avatars/${"x".repeat(65)}/1.webp`,
])("parse returns undefined for %j", (key) => {
  expect(ObjectKey.parse(key)).toBeUndefined();
  expect(StoredValue.key(StoredValue.fromKey(key))).toBeUndefined();
});

test("a stored value is the prefix and the object key, which can be read from it", () => {
  const stored = StoredValue.fromKey("avatars/usr_1/5.webp");
  expect(stored).toBe("objstore:avatars/usr_1/5.webp");
  expect(StoredValue.key(stored)).toBe("avatars/usr_1/5.webp");
});

test.each([
  "",
  "https://gravatar.example/a.png",
  "x.png",
  "avatars/usr_1/5.webp",
  "OBJSTORE:avatars/usr_1/5.webp",
  " objstore:avatars/usr_1/5.webp",
])("the stored value %j has no object key", (stored) => {
  expect(StoredValue.key(stored)).toBeUndefined();
});
