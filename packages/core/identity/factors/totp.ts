import { createHmac, timingSafeEqual } from "node:crypto";

/** The defaults of every authenticator app: SHA-1, six digits, thirty seconds (RFC 6238). */
export const digits = 6;
export const stepSeconds = 30;

/** Steps before and after the current one whose codes are accepted, to allow for clock drift and slow typing. */
export const driftSteps = 1;

/** Length of a secret in bytes: the length of a SHA-1 hash, as RFC 4226 recommends. */
export const secretBytes = 20;

/** Returns the number of the time step that contains `now`. */
export function step(now: Date): number {
  return Math.floor(now.getTime() / 1000 / stepSeconds);
}

/** Computes the code for a time step: HOTP (RFC 4226) with the step number as its counter. */
export function code(secret: Uint8Array, step: number, length: number = digits): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** length;
  return String(number).padStart(length, "0");
}

/** Finds the latest accepted step after `lastStep` that has this code, or undefined. */
export function matchingStep(
  secret: Uint8Array,
  given: string,
  lastStep: number,
  now: Date,
): number | undefined {
  const current = step(now);
  let found: number | undefined;
  for (let at = current - driftSteps; at <= current + driftSteps; at++)
    if (equal(code(secret, at), given) && at > lastStep) found = at;
  return found;
}

/** Builds the `otpauth:` URI that authenticator apps read from a QR code (Key URI format of Google Authenticator). */
export function uri(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const parameters = new URLSearchParams({
    secret,
    issuer,
    algorithm: "SHA1",
    digits: String(digits),
    period: String(stepSeconds),
  });
  return `otpauth://totp/${label}?${parameters}`;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Encodes bytes as base32 without padding (RFC 4648), the form in which secrets are typed into an app. */
export function base32(bytes: Uint8Array): string {
  let bits = 0;
  let pending = 0;
  let text = "";
  for (const byte of bytes) {
    pending = ((pending << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(pending >> (bits - 5)) & 31];
  }
  return bits > 0 ? text + alphabet[(pending << (5 - bits)) & 31] : text;
}

function equal(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
