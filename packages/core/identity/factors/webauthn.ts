import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from "@simplewebauthn/server";
import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { newId } from "../../base/id.ts";
import { invalidWithCode } from "../../base/invalid.ts";
import { singleLine } from "../../base/text.ts";
import * as Event from "../../event/event.ts";
import * as Config from "../../platform/config/config.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import { transaction, violates } from "../../platform/db/transaction.ts";
import { log } from "../../platform/log/log.ts";
import * as Notice from "../notices/notice.ts";
import * as BackupCodes from "./backup-codes.ts";
import * as Challenge from "./challenge.ts";
import * as Factors from "./factors.ts";

/** Loads the library on first use, because loading takes 170 ms. */
const library = () => import("@simplewebauthn/server");

/**
 * COSE identifiers of the accepted signature algorithms: EdDSA, ES256, RS256. The library's default includes one that Node
 * supports only experimentally, with a warning.
 */
const algorithms = [-8, -7, -257];

const Encoded = z.string().check(z.maxLength(16_384), z.regex(/^[\w-]+$/, "Must be base64url."));

/** The result of `credential.toJSON()` after `navigator.credentials.create` in a browser (WebAuthn Level 3, 5.1). */
const Attestation = z.looseObject({
  id: Encoded,
  rawId: Encoded,
  type: z.literal("public-key"),
  response: z.looseObject({
    clientDataJSON: Encoded,
    attestationObject: Encoded,
    transports: z.optional(
      z
        .array(z.string().check(z.regex(/^[a-z-]{1,20}$/, "Must be a transport such as usb or internal.")))
        .check(z.maxLength(10)),
    ),
  }),
});

export const Register = z.object({ credential: Attestation, name: z.optional(singleLine(1, 100)) });
export type Register = z.infer<typeof Register>;

export const Registered = z.extend(Factors.Key, {
  /** Present only when this is the user's first second factor. */
  backupCodes: z.optional(z.array(z.string())),
});
export type Registered = z.infer<typeof Registered>;

/** The result of `credential.toJSON()` after `navigator.credentials.get` in a browser. */
export const Assertion = z.looseObject({
  id: Encoded,
  rawId: Encoded,
  type: z.literal("public-key"),
  response: z.looseObject({ clientDataJSON: Encoded, authenticatorData: Encoded, signature: Encoded }),
});
export type Assertion = z.infer<typeof Assertion>;

/** The options of either ceremony, for the browser's `parse…OptionsFromJSON`. */
export const Options = z.looseObject({ challenge: z.string() });
export type Options = z.infer<typeof Options>;

/** Returns the options for a browser to create a credential on the caller's device. */
export async function registrationOptions(actor: Actor, now: Date = Clock.now()): Promise<Options> {
  const user = await db()
    .selectFrom("users")
    .select(["email", "name"])
    .where("id", "=", actor.userId)
    .executeTakeFirstOrThrow();
  const excludeCredentials = await credentialsOf(actor.userId);
  const { bytes } = await Challenge.issue(registrationCeremony(actor), now);
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: "svc",
    rpID: relyingParty().id,
    userName: user.email,
    userDisplayName: user.name,
    userID: new TextEncoder().encode(actor.userId),
    challenge: bytes,
    timeout: Challenge.minutes * 60_000,
    attestationType: "none",
    excludeCredentials,
    supportedAlgorithmIDs: algorithms,
    authenticatorSelection: { userVerification: "required", residentKey: "discouraged" },
  });
  return { ...options };
}

/**
 * Verifies and stores the credential that the browser created, as a second factor. Returns twelve backup codes with the
 * user's first factor. Throws `invalid` `credential_invalid` and `conflict` `credential_known`.
 */
export async function register(
  actor: Actor,
  { credential: response, name = "Security key" }: Register,
  now: Date = Clock.now(),
): Promise<Registered> {
  const credential = await verifyAttestation(actor, response as unknown as RegistrationResponseJSON, now);
  const id = newId("wan", now);
  const transports = response.response.transports ?? [];
  // Generated before the transaction, because hashing the codes is slow.
  const generated = (await Factors.enabled(db(), actor.userId)) ? undefined : await BackupCodes.generate();
  const codeSet = await transaction(async (tx) => {
    const isFirstFactor = !(await Factors.enabled(tx, actor.userId));
    await insertCredential(tx, actor.userId, { id, name, credential, transports }, now);
    if (isFirstFactor && generated) await BackupCodes.replace(tx, actor.userId, generated, now);
    const target = { type: "user", id: actor.userId, name: "" } as const;
    const changes = { webauthn: { before: null, after: name } };
    await Event.record(tx, actor, { action: "user.webauthn_added", target, changes }, now);
    return isFirstFactor ? generated : undefined;
  }).catch((error: unknown) => {
    throw violates(error, "webauthn_credentials_credential")
      ? new Fault("conflict", "credential_known", "This security key is already registered.", {
          cause: error,
        })
      : error;
  });
  await Notice.send(
    actor,
    {
      subject: "A security key was added",
      text: `The security key “${name}” was added to your account as a second factor.`,
    },
    now,
  );
  const key = { id, name, createdAt: now.toISOString(), lastUsedAt: null };
  return codeSet ? { ...key, backupCodes: codeSet.codes } : key;
}

/**
 * Removes one of the caller's credentials, and the backup codes if no other factor remains. Throws `missing`
 * `factor_not_found`.
 */
export async function remove(actor: Actor, id: string, now: Date = Clock.now()): Promise<void> {
  const { name } = await transaction(async (tx) => {
    const removed = await tx
      .deleteFrom("webauthn_credentials")
      .where("id", "=", id)
      .where("user_id", "=", actor.userId)
      .returning("name")
      .executeTakeFirst();
    if (!removed) throw new Fault("missing", "factor_not_found", "Security key not found.");
    await BackupCodes.removeIfUnused(tx, actor.userId);
    const target = { type: "user", id: actor.userId, name: "" } as const;
    const changes = { webauthn: { before: removed.name, after: null } };
    await Event.record(tx, actor, { action: "user.webauthn_removed", target, changes }, now);
    return removed;
  });
  await Notice.send(
    actor,
    {
      subject: "A security key was removed",
      text: `The security key “${name}” was removed from your account. It can no longer be used to sign in.`,
    },
    now,
  );
}

/**
 * Returns the options for a browser to request one of the user's credentials in this sign-in. Throws `missing`
 * `factor_not_found`.
 */
export async function loginOptions(userId: string, loginId: string, now: Date): Promise<Options> {
  const allowCredentials = await credentialsOf(userId);
  if (allowCredentials.length === 0)
    throw new Fault("missing", "factor_not_found", "No security key is registered. Use another method.");
  const { bytes } = await Challenge.issue(loginCeremony(userId, loginId), now);
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: relyingParty().id,
    challenge: bytes,
    timeout: Challenge.minutes * 60_000,
    allowCredentials,
    userVerification: "required",
  });
  return { ...options };
}

/**
 * Consumes an assertion for this sign-in. Returns whether it was valid: challenge, origin, relying party, user
 * verification, signature and counter. An assertion is valid once, because its challenge is deleted first and its counter
 * must be higher than the stored one.
 */
export async function consume(
  userId: string,
  loginId: string,
  assertion: Assertion,
  now: Date,
): Promise<boolean> {
  const challenge = challengeOf(assertion.response.clientDataJSON);
  if (!challenge || !(await Challenge.consume(challenge, loginCeremony(userId, loginId), now))) return false;
  const stored = await db()
    .selectFrom("webauthn_credentials")
    .select(["id", "credential_id", "public_key", "counter"])
    .where("credential_id", "=", assertion.id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (!stored) return false;
  const newCounter = await verifyAssertion(stored, assertion, challenge);
  if (newCounter === undefined) return false;
  const { numUpdatedRows } = await transaction((tx) =>
    tx
      .updateTable("webauthn_credentials")
      .set({ counter: BigInt(newCounter), last_used_at: now })
      .where("id", "=", stored.id)
      .where("counter", "=", stored.counter)
      .executeTakeFirst(),
  );
  return numUpdatedRows === 1n;
}

type StoredCredential = { id: string; credential_id: string; public_key: string; counter: bigint };

/** Verifies an assertion with the stored public key. Returns the new counter, or undefined if it is invalid. */
async function verifyAssertion(
  stored: StoredCredential,
  assertion: Assertion,
  challenge: string,
): Promise<number | undefined> {
  const { id: rpId, origin } = relyingParty();
  const { verifyAuthenticationResponse } = await library();
  const result = await undefinedIfInvalid(() =>
    verifyAuthenticationResponse({
      response: assertion as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      credential: {
        id: stored.credential_id,
        publicKey: new Uint8Array(Buffer.from(stored.public_key, "base64url")),
        counter: Number(stored.counter),
      },
    }),
  );
  return result?.verified ? result.authenticationInfo.newCounter : undefined;
}

/** Consumes the challenge of an attestation and verifies it. Throws `invalid` `credential_invalid`. */
async function verifyAttestation(
  actor: Actor,
  response: RegistrationResponseJSON,
  now: Date,
): Promise<WebAuthnCredential> {
  const challenge = challengeOf(response.response.clientDataJSON);
  if (!challenge || !(await Challenge.consume(challenge, registrationCeremony(actor), now)))
    throw invalidCredential();
  const { id: rpId, origin } = relyingParty();
  const { verifyRegistrationResponse } = await library();
  const result = await undefinedIfInvalid(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }),
  );
  if (!result?.verified) throw invalidCredential();
  return result.registrationInfo.credential;
}

async function insertCredential(
  tx: Tx,
  userId: string,
  { id, name, credential, transports }: NewCredential,
  now: Date,
): Promise<void> {
  await tx
    .insertInto("webauthn_credentials")
    .values({
      id,
      user_id: userId,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString("base64url"),
      counter: BigInt(credential.counter),
      transports: transports.join(","),
      name,
      created_at: now,
    })
    .execute();
}

type NewCredential = { id: string; name: string; credential: WebAuthnCredential; transports: string[] };

/** Runs a verification of the library. Returns undefined, and logs the reason, if it throws. */
async function undefinedIfInvalid<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch (error) {
    log.info("webauthn response rejected", { error: error as Error });
    return undefined;
  }
}

/** Reads the challenge from client data; undefined if the client data is malformed. */
function challengeOf(clientDataJSON: string): string | undefined {
  try {
    const data = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString()) as { challenge?: unknown };
    return typeof data.challenge === "string" ? data.challenge : undefined;
  } catch {
    return undefined;
  }
}

async function credentialsOf(userId: string): Promise<{ id: string; transports: string[] }[]> {
  const rows = await db()
    .selectFrom("webauthn_credentials")
    .select(["credential_id", "transports"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
  return rows.map(({ credential_id, transports }) => ({
    id: credential_id,
    transports: transports.split(",").filter(Boolean),
  }));
}

/** The origin of the web client and its host, independent of the host that the API was called on. */
function relyingParty(): { id: string; origin: string } {
  const origin = Config.appUrl();
  return { id: new URL(origin).hostname, origin };
}

function registrationCeremony({ userId, sessionId }: Actor): Challenge.Ceremony {
  return { ceremony: "registration", userId, boundTo: sessionId };
}

function loginCeremony(userId: string, loginId: string): Challenge.Ceremony {
  return { ceremony: "login", userId, boundTo: loginId };
}

function invalidCredential(): Fault {
  return invalidWithCode(
    { pointer: "/credential" },
    "credential_invalid",
    `The security key could not be verified. Request new options and use them within ${Challenge.minutes} minutes, with user verification.`,
  );
}
