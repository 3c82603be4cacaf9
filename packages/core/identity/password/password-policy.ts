import * as z from "zod/mini";
import { Fault } from "../../base/fault.ts";
import common from "./common-passwords.json" with { type: "json" };

export const minLength = 12;
export const maxLength = 128;

/** ASVS 5.0, 6.2: length alone decides, any characters, no rules of composition. */
export const Password = z.string().check(z.minLength(minLength), z.maxLength(maxLength));

const listed = new Set(common.passwords);

/** On the list of the commonest, one to three characters over and over, or one run of neighbours (`abcdef…`, `987654…`). */
export function isCommon(password: string): boolean {
  const folded = password.toLowerCase();
  return listed.has(folded) || /^(.{1,3}?)\1+.{0,2}$/s.test(folded) || isRun(folded);
}

/** Throws 422 `password_too_common`. `pointer` names the field it came in. */
export function refuseCommon(password: string, pointer: string): void {
  if (!isCommon(password)) return;
  const message = "This password is among the first that anybody tries. Choose another, longer one.";
  throw new Fault("invalid", "password_too_common", message, {
    errors: [{ pointer, code: "password_too_common", detail: message }],
  });
}

function isRun(text: string): boolean {
  const steps = new Set<number>();
  for (let at = 1; at < text.length; at++) {
    const step = text.charCodeAt(at) - text.charCodeAt(at - 1);
    // From 9 on to 0 and from 0 down to 9: the row of digits is a ring.
    steps.add(step === -9 || step === 9 ? -Math.sign(step) : step);
  }
  return steps.size === 1 && (steps.has(1) || steps.has(-1));
}
