import { randomBytes } from "node:crypto";

/** Random bytes of each salt. */
const saltBytes = 16;

/** Returns the columns of an event with new salts, in base64url. Each salts the hash of a group of personal columns. */
export function newSalts() {
  const random = randomBytes(4 * saltBytes);
  const salt = (at: number) => random.toString("base64url", at * saltBytes, (at + 1) * saltBytes);
  return { origin_salt: salt(0), name_salt: salt(1), changes_salt: salt(2), data_salt: salt(3) };
}
