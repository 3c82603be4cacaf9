import * as z from "zod/mini";

/** An email address as a user types it, within the length limit of RFC 5321. */
export const Email = z.string().check(z.trim(), z.maxLength(254), z.email());

/** Returns the form in which email addresses are compared: NFKC, lower case. */
export function key(email: string): string {
  return email.trim().normalize("NFKC").toLowerCase();
}
