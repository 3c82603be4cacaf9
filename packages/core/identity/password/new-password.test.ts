import { describe, expect, it } from "vitest";
import { NewPassword } from "./new-password.ts";
import { maxLength, minLength } from "./password-policy.ts";

describe("NewPassword", () => {
  it.each([minLength, maxLength])("accepts a password of %i characters", (length) => {
    expect(NewPassword.safeParse("x".repeat(length)).success).toBe(true);
  });

  it.each([
    [minLength - 1, "too_small"],
    [maxLength + 1, "too_big"],
  ])("rejects a password of %i characters with %s", (length, code) => {
    expect(NewPassword.safeParse("x".repeat(length)).error?.issues).toMatchObject([{ code }]);
  });
});
