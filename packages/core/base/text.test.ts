import { describe, expect, it } from "vitest";
import { findUnstorable, Name, Note } from "./text.ts";

const directions = [..."\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"];

describe("Name", () => {
  it.each(["Ada", "עדה", "Ada\u200f", "Zoë 📷", "x".repeat(100)])("accepts %j", (name) => {
    expect(Name.safeParse(name)).toMatchObject({ success: true, data: name });
  });

  it.each(["", " ", "x".repeat(101), "a\nb", "a\u0000b", "a\u007fb", ...directions.map((c) => `a${c}b`)])(
    "rejects %j",
    (name) => {
      expect(Name.safeParse(name).success).toBe(false);
    },
  );
});

describe("Note", () => {
  it("accepts several lines in both directions", () => {
    expect(Note.safeParse("one\n\u202bשתיים\u202c").success).toBe(true);
  });
});

describe("findUnstorable", () => {
  it.each([
    ["text", "Zoë 📷"],
    ["other values", [1, null, true, undefined, new Date(0), {}]],
    ["nested text", { a: [{ b: "x" }] }],
  ])("returns undefined for %s", (_, value) => {
    expect(findUnstorable(value)).toBeUndefined();
  });

  it.each([
    ["\ud800", []],
    ["\udc00\ud800", []],
    [{ a: "x", b: { c: ["x", "\udfff"] } }, ["b", "c", 1]],
    [{ a: "\u0000" }, ["a"]],
    [JSON.parse('{"__proto__": "\\u0000"}'), ["__proto__"]],
  ])("returns the path of the text in %j", (value, path) => {
    expect(findUnstorable(value)).toEqual(path);
  });

  it("finds text at any depth", () => {
    const depth = 100_000;
    const value = JSON.parse(`${"[".repeat(depth)}"\\ud800"${"]".repeat(depth)}`);
    expect(findUnstorable(value)).toHaveLength(depth);
  });
});
