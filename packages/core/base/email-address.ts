import * as z from "zod/mini";

/** A mail address as people type it: one line, one @, within the lengths of RFC 5321. */
export const Email = z.string().check(z.trim(), z.maxLength(254), z.email());

/** The form in which addresses are compared: what differs only in case or in Unicode form is one address. */
export function key(email: string): string {
  return email.trim().normalize("NFKC").toLowerCase();
}
