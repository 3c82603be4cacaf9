import * as z from "zod/mini";
import { invalidWithCode } from "../../base/invalid.ts";
import common from "./common-passwords.json" with { type: "json" };

export const minLength = 12;
export const maxLength = 128;

/** A new password. Only its length is restricted, not its characters (ASVS 5.0, 6.2). */
export const Password = z.string().check(z.minLength(minLength), z.maxLength(maxLength));

const listed = new Set(common.passwords);

/**
 * Returns whether a password is easy to guess: on the list of common passwords, a repetition of one to three characters, or
 * a single run of neighbouring characters (`abcdef…`, `987654…`). Ignores case.
 */
export function isCommon(password: string): boolean {
  const folded = password.toLowerCase();
  return listed.has(folded) || /^(.{1,3}?)\1+.{0,2}$/s.test(folded) || isRun(folded);
}

/** Throws `invalid` `password_too_common` if the password is easy to guess. `pointer` names its field. */
export function rejectCommon(password: string, pointer: string): void {
  if (isCommon(password))
    throw invalidWithCode(
      { pointer },
      "password_too_common",
      "Password is too common. Choose one that is harder to guess.",
    );
}

function isRun(text: string): boolean {
  const steps = new Set<number>();
  for (let at = 1; at < text.length; at++) {
    const step = text.charCodeAt(at) - text.charCodeAt(at - 1);
    // The digits wrap around: 0 follows 9 in an ascending run, and 9 follows 0 in a descending one.
    steps.add(step === -9 || step === 9 ? -Math.sign(step) : step);
  }
  return steps.size === 1 && (steps.has(1) || steps.has(-1));
}
