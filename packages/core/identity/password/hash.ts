import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { hashSecret } from "../../platform/crypto/secret.ts";

const derive = promisify(argon2);

/** The cost of argon2id with one lane: memory in KiB, and passes over it. */
export type Cost = { memory: number; passes: number };

/** OWASP's recommendation: 19 MiB, two passes. */
let cost: Cost = { memory: 19_456, passes: 2 };

/** Sets the cost of new hashes for this process. Tests hash hundreds of times, so their set-up makes it cheap. */
export function useCost(next: Cost): void {
  cost = next;
}

const tagLength = 32;

/** Hashes a password with argon2id as a PHC string: `$argon2id$v=19$m=19456,t=2,p=1$salt$tag`. */
export async function hash(password: string, salt: Buffer = randomBytes(16)): Promise<string> {
  const tag = await derive("argon2id", {
    message: password,
    nonce: salt,
    ...cost,
    parallelism: 1,
    tagLength,
  });
  return phcString(salt, tag);
}

/** Returns whether a password matches a PHC string, with the cost parameters that the string names. */
export async function matches(password: string, phc: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(phc);
  if (!match) throw new Error("Stored password hash is not an argon2id PHC string.");
  const [, memory, passes, parallelism, salt = "", tag = ""] = match;
  const expected = Buffer.from(tag, "base64");
  const actual = await derive("argon2id", {
    message: password,
    nonce: Buffer.from(salt, "base64"),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  });
  return timingSafeEqual(actual, expected);
}

/**
 * Returns a hash that no password matches. Sign-ins with an unknown email are checked against one, so that they take as long
 * as those with a known email.
 */
export function unmatchable(): string {
  return phcString(randomBytes(16), randomBytes(tagLength));
}

/**
 * Returns a fingerprint of a password hash. Comparing fingerprints shows whether the password has changed since an earlier
 * step.
 */
export function fingerprint(passwordHash: string): string {
  return hashSecret(passwordHash).slice(0, 16);
}

function phcString(salt: Uint8Array, tag: Uint8Array): string {
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=1$${unpadded(salt)}$${unpadded(tag)}`;
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replace(/=+$/, "");
}
