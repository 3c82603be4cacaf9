import { expect, test } from "vitest";
import { freshMs, hue, initials, shownUrl, steady, unsteady } from "./picture.ts";

test.each([
  "",
  "objstore:avatars/usr_1/1.webp",
  "avatars/usr_1/1.webp",
  "viktor.png",
  "javascript:alert(1)",
  "data:image/png;base64,AAAA",
  "//cdn.example/x.webp",
  "https://",
])("%j is never an image address", (value) => expect(shownUrl(value)).toBeUndefined());

test("a signed URL is, as it came", () => {
  const url = "https://bucket.example/avatars/usr_1/1.webp?X-Amz-Signature=ab";
  expect(shownUrl(url)).toBe(url);
});

test("one picture keeps its first URL for half a day; another picture, a failed one and a later answer bring the new one", () => {
  const url = (key: string, signature: number) => `https://b.example/${key}?s=${signature}`;
  expect(steady(url("a", 1), 0)).toBe(url("a", 1));
  expect(steady(url("a", 2), freshMs / 2 - 1)).toBe(url("a", 1));
  expect(steady(url("b", 2), 0)).toBe(url("b", 2));
  expect(steady(url("a", 1), freshMs / 2)).toBe(url("a", 1));
  expect(steady(url("a", 3), freshMs / 2)).toBe(url("a", 3));
  unsteady(url("a", 3));
  expect(steady(url("a", 4), freshMs / 2)).toBe(url("a", 4));
});

test.each([
  ["Ada Lovelace", "AL"],
  ["  maria  del carmen  ruiz ", "MR"],
  ["Élodie", "É"],
  ["太郎 山田", "太山"],
  ["👩‍🚀 Space", "👩‍🚀S"],
  ["", ""],
])("the initials of %j are %j", (name, letters) => expect(initials(name)).toBe(letters));

test("a colour is a person's own for ever, and differs between people", () => {
  expect(hue("usr_1")).toBe(hue("usr_1"));
  const hues = new Set(Array.from({ length: 100 }, (_, at) => hue(`usr_${at}`)));
  expect(hues.size).toBeGreaterThan(70);
});
