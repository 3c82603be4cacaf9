import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify(argon2);

/** The work factors of argon2id: memory in KiB, and passes over it. One lane. */
export type Cost = { memory: number; passes: number };

/** OWASP's recommendation: 19 MiB, two passes. */
let cost: Cost = { memory: 19_456, passes: 2 };

/** Sets the cost of new hashes for this process. Tests hash hundreds of times, so their set-up makes it cheap. */
export function useCost(next: Cost): void {
  cost = next;
}

const tagLength = 32;

/** The password as a PHC string: `$argon2id$v=19$m=19456,t=2,p=1$salt$tag`. */
export async function hash(password: string, salt: Buffer = randomBytes(16)): Promise<string> {
  return phc(
    salt,
    await derive("argon2id", { message: password, nonce: salt, ...cost, parallelism: 1, tagLength }),
  );
}

/** Whether this is the password of that PHC string, at the cost that the string names. */
export async function matches(password: string, phc: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(phc);
  if (!match) throw new Error("A stored password is not an argon2id PHC string.");
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
 * Returns a hash that no password matches, for sign-ins with an unknown email: checking it takes as long as checking a
 * real one, so that the response time does not tell whether the account exists.
 */
export function unmatchable(): string {
  return phc(randomBytes(16), randomBytes(tagLength));
}

function phc(salt: Uint8Array, tag: Uint8Array): string {
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=1$${unpadded(salt)}$${unpadded(tag)}`;
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replace(/=+$/, "");
}
