import * as z from "zod/mini";
import { invalidWithCode } from "../../base/invalid.ts";
import { isBreached } from "./breaches.ts";
import { maxLength, minLength } from "./password-policy.ts";
import { estimate, type Owner } from "./strength.ts";

/** A new password. `requireStrong` checks more than its length. */
export const NewPassword = z.string().check(z.minLength(minLength), z.maxLength(maxLength));

/**
 * Rejects a new password that is easy to guess or known from a data breach. Throws `invalid` `password_too_weak`; `pointer`
 * names its field. Only functions that set passwords import this file, because the dictionaries are large.
 */
export async function requireStrong(password: string, owner: Owner, pointer: string): Promise<void> {
  const { advice } = estimate(password, owner);
  if (advice) throw tooWeak(`Password is too easy to guess. ${advice}`, pointer);
  if (await isBreached(password))
    throw tooWeak("Password appears in a data breach. Choose one that you have never used before.", pointer);
}

function tooWeak(detail: string, pointer: string) {
  return invalidWithCode({ pointer }, "password_too_weak", detail);
}
