import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import * as z from "zod/mini";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { db } from "../../platform/db/engine.ts";
import * as Token from "../sessions/token.ts";
import {
  Assertion,
  Encoded,
  Options,
  recordUse,
  relyingParty,
  undefinedIfInvalid,
  verify,
} from "./assertion.ts";
import * as Challenge from "./challenge.ts";
import { decoyKeys } from "./decoy-keys.ts";

/** The options for a browser to request any passkey of this site, and the token that names their challenge. */
export const Begun = z.object({ options: Options, challengeToken: z.string() });
export type Begun = z.infer<typeof Begun>;

/** The passkey that the user chose. The authenticator names the account by its user handle. */
export const Proof = z.object({
  challengeToken: z.string().check(z.minLength(1), z.maxLength(2000)),
  credential: z.extend(Assertion, {
    response: z.extend(Assertion.shape.response, { userHandle: Encoded }),
  }),
});
export type Proof = z.infer<typeof Proof>;

/** `userId` is the owner of the credential, also when the assertion was rejected, and empty for an unknown credential. */
export type Outcome = { valid: boolean; userId: string };

/**
 * Returns options without the credentials of a user, so that the browser offers every passkey that it has for this site. The
 * challenge is stored only when it is used, because every view of the sign-in page requests one.
 */
export async function options(now: Date = Clock.now()): Promise<Begun> {
  const challenge = randomBytes(32).toString("base64url");
  const expiresAt = new Date(now.getTime() + Challenge.minutes * 60_000);
  return {
    options: {
      challenge,
      rpId: relyingParty().id,
      timeout: Challenge.minutes * 60_000,
      userVerification: "required",
      allowCredentials: [],
    },
    challengeToken: await Token.signChallenge(challenge, now, expiresAt),
  };
}

/**
 * Authenticates a user by a passkey, which stands for both factors. Verifies challenge, origin, relying party, user
 * verification, signature, user handle and counter. The challenge is used up even if the assertion is invalid. A credential
 * that does not exist, or is only a second factor, is rejected after the same work as a wrong assertion.
 */
export async function authenticate(proof: Proof, now: Date): Promise<Outcome> {
  const challenge = await challengeOf(proof.challengeToken, now);
  if (!challenge || !(await Challenge.claim(challenge, now))) return { valid: false, userId: "" };
  const { credential } = proof;
  const [decoy] = await decoyKeys();
  const found = await find(credential.id, decoy.publicKey);
  const publicKey = new Uint8Array(Buffer.from(found.publicKey, "base64url"));
  const counter = await verifyWithDecoys(publicKey, credential, challenge);
  const valid =
    found.id !== "" &&
    counter !== undefined &&
    credential.response.userHandle === found.userHandle &&
    (await recordUse(found, counter, now));
  return { valid, userId: found.userId };
}

/** The message of every rejected passkey, whatever the reason. */
export const rejected = "This passkey could not be verified. Try again, or use your password.";

/** Returns the challenge that a token names, or undefined if the token is invalid or has expired. */
async function challengeOf(token: string, now: Date): Promise<string | undefined> {
  try {
    return await Token.verifyChallenge(token, now);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

/**
 * Finds a credential that was registered as a passkey. Without one, the statement returns a row with empty columns and the decoy
 * as the key, because a result without a row arrives measurably earlier.
 */
function find(credentialId: string, decoy: Uint8Array) {
  return db()
    .selectFrom(db().selectNoFrom(sql.lit(1).as("row")).as("always"))
    .leftJoin("webauthn_credentials as found", (join) =>
      join
        .on((on) => on("found.credential_id", "=", on.val(credentialId)))
        .on((on) => on("found.discoverable", "is", on.lit(true))),
    )
    .select(({ fn, val }) => [
      fn.coalesce("found.id", val("")).as("id"),
      fn.coalesce("found.user_id", val("")).as("userId"),
      fn.coalesce("found.user_handle", val("")).as("userHandle"),
      fn.coalesce("found.counter", val(0n)).as("counter"),
      fn.coalesce("found.public_key", val(Buffer.from(decoy).toString("base64url"))).as("publicKey"),
    ])
    .executeTakeFirstOrThrow();
}

/**
 * Verifies an assertion with a key. If it is invalid, also verifies it with decoy keys of the other algorithms, because their
 * times differ.
 */
async function verifyWithDecoys(
  publicKey: Uint8Array<ArrayBuffer>,
  assertion: Assertion,
  challenge: string,
): Promise<number | undefined> {
  const counter = await undefinedIfInvalid(() => verify(publicKey, assertion, challenge));
  if (counter !== undefined) return counter;
  const algorithm = await algorithmOf(publicKey);
  for (const decoy of await decoyKeys())
    if (decoy.algorithm !== algorithm)
      await verify(decoy.publicKey, assertion, challenge).catch(() => undefined);
  return undefined;
}

async function algorithmOf(publicKey: Uint8Array<ArrayBuffer>): Promise<unknown> {
  const { cose, decodeCredentialPublicKey } = await import("@simplewebauthn/server/helpers");
  return decodeCredentialPublicKey(publicKey).get(cose.COSEKEYS.alg);
}
