import fc from "fast-check";
import { expect, test } from "vitest";
import { decode, encode } from "./cursor.ts";

test("decode returns the encoded values, and the text needs no URL encoding", () => {
  const value = fc.oneof(fc.string({ maxLength: 64, unit: "grapheme" }), fc.integer());
  fc.assert(
    fc.property(fc.array(value, { maxLength: 4 }), (values) => {
      const text = encode(values);
      expect(encodeURIComponent(text)).toBe(text);
      expect(decode(text)).toEqual(values);
    }),
  );
});

test.each([
  "",
  "?",
  "e30",
  Buffer.from('{"a":1}').toString("base64url"),
  Buffer.from("[null]").toString("base64url"),
  Buffer.from("[[1]]").toString("base64url"),
  // Buffer ignores characters outside base64url, so only the pattern rejects these.
  `${encode(["a"])}=`,
  `!${encode(["a"])}`,
  encode(["x".repeat(800)]),
])("decode returns undefined for %j", (text) => {
  expect(decode(text)).toBeUndefined();
});
