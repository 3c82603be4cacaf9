import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify(argon2);

/** OWASP's parameters for argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const tagLength = 32;

/** The password as a PHC string: `$argon2id$v=19$m=19456,t=2,p=1$salt$tag`. */
export async function hash(password: string, salt: Buffer = randomBytes(16)): Promise<string> {
  const tag = await derive("argon2id", { message: password, nonce: salt, ...cost, tagLength });
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
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

/** What an unknown address is checked against, so that it takes as long as a known one. Nobody has its password. */
export const nobody = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(randomBytes(16))}$${unpadded(randomBytes(tagLength))}`;

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replace(/=+$/, "");
}
