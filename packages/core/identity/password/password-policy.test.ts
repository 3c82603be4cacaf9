import { describe, expect, it, test } from "vitest";
import { isCommon, maxLength, minLength, Password } from "./password-policy.ts";

describe("Password", () => {
  it.each([minLength, maxLength])("accepts a password of %i characters", (length) => {
    expect(Password.safeParse("x".repeat(length)).success).toBe(true);
  });

  it.each([
    [minLength - 1, "too_small"],
    [maxLength + 1, "too_big"],
  ])("rejects a password of %i characters with %s", (length, code) => {
    expect(Password.safeParse("x".repeat(length)).error?.issues).toMatchObject([{ code }]);
  });
});

describe("isCommon", () => {
  test.each([
    "qwerty123456",
    "QWERTY123456",
    "aaaaaaaaaaaa",
    "abcabcabcabc",
    "abcdefghijklmn",
    "987654321098",
    "1234567890123",
  ])("is true for %s", (password) => {
    expect(isCommon(password)).toBe(true);
  });

  test.each(["correct horse battery staple", "aaaaaaaaaaab-mountain", "ünïcödé pässwörd", "            tea"])(
    "is false for %s",
    (password) => {
      expect(isCommon(password)).toBe(false);
    },
  );
});
