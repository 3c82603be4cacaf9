import type { RegistrationResponseJSON, WebAuthnCredential } from "@simplewebauthn/server";
import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { newId } from "../../base/id.ts";
import { invalidWithCode } from "../../base/invalid.ts";
import { singleLine } from "../../base/text.ts";
import * as Event from "../../event/event.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import { transaction, violates } from "../../platform/db/transaction.ts";
import * as Notice from "../notices/notice.ts";
import * as Session from "../sessions/session.ts";
import {
  type Assertion,
  algorithms,
  challengeOf,
  Encoded,
  library,
  type Options,
  recordUse,
  relyingParty,
  undefinedIfInvalid,
  verify,
} from "./assertion.ts";
import * as BackupCodes from "./backup-codes.ts";
import * as Challenge from "./challenge.ts";
import * as Factors from "./factors.ts";

/** The credential to register: a second factor, unless it is requested as a passkey, which also signs in alone. */
export const Begin = z.object({ kind: z.optional(z.enum(Factors.kinds)) });
export type Begin = z.infer<typeof Begin>;

/** The result of `credential.toJSON()` after `navigator.credentials.create` in a browser (WebAuthn Level 3, 5.1). */
export const Attestation = z.looseObject({
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
  clientExtensionResults: z.optional(
    z.looseObject({ credProps: z.optional(z.looseObject({ rk: z.optional(z.boolean()) })) }),
  ),
});

type Attestation = z.infer<typeof Attestation>;

export const Register = z.object({ credential: Attestation, name: z.optional(singleLine(1, 100)) });
export type Register = z.infer<typeof Register>;

export const Registered = z.extend(Factors.Key, {
  /** Present only when this is the user's first second factor. */
  backupCodes: z.optional(z.array(z.string())),
});
export type Registered = z.infer<typeof Registered>;

export const Registrations = z.object({
  data: z.array(Factors.Key),
  /** The relying party and the user, as browsers name them to authenticators (WebAuthn Level 3, 5.1.10). */
  rpId: z.string(),
  userHandle: z.string(),
});
export type Registrations = z.infer<typeof Registrations>;

/** Returns the caller's credentials, and the names under which authenticators store those that are passkeys. */
export async function list({ userId }: Actor): Promise<Registrations> {
  return {
    data: await Factors.keys(userId),
    rpId: relyingParty().id,
    userHandle: userHandle(userId).toString("base64url"),
  };
}

/** Returns the options for a browser to create a credential on the caller's device. */
export async function registrationOptions(
  actor: Actor,
  { kind = "security_key" }: Begin,
  now: Date = Clock.now(),
): Promise<Options> {
  const user = await db()
    .selectFrom("users")
    .select(["email", "name"])
    .where("id", "=", actor.userId)
    .executeTakeFirstOrThrow();
  // A device that is registered as a second factor can be registered again as a passkey.
  const excludeCredentials = await credentialsOf(actor.userId, kind === "passkey");
  const { bytes } = await Challenge.issue(registrationCeremony(actor, kind), now);
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: "svc",
    rpID: relyingParty().id,
    userName: user.email,
    userDisplayName: user.name,
    userID: userHandle(actor.userId),
    challenge: bytes,
    timeout: Challenge.minutes * 60_000,
    attestationType: "none",
    excludeCredentials,
    supportedAlgorithmIDs: algorithms,
    authenticatorSelection: {
      userVerification: "required",
      residentKey: kind === "passkey" ? "required" : "discouraged",
    },
  });
  return { ...options };
}

/**
 * Verifies and stores the credential that the browser created, as a second factor, and as a passkey if the options were for
 * one and the authenticator stored it. Returns twelve backup codes with the user's first factor. Throws `invalid`
 * `credential_invalid` and `conflict` `credential_known`.
 */
export async function register(
  actor: Actor,
  { credential: response, name: givenName }: Register,
  now: Date = Clock.now(),
): Promise<Registered> {
  const { credential, kind } = await verifyAttestation(actor, response, now);
  const name = givenName ?? defaultNames[kind];
  const id = newId("wan", now);
  const transports = response.response.transports ?? [];
  // Generated before the transaction, because hashing the codes is slow.
  const generated = (await Factors.enabled(db(), actor.userId)) ? undefined : await BackupCodes.generate();
  const codeSet = await transaction(async (tx) => {
    await Session.requireOpen(tx, actor, now);
    const isFirstFactor = !(await Factors.enabled(tx, actor.userId));
    await insertCredential(tx, actor.userId, { id, name, kind, credential, transports }, now);
    if (isFirstFactor && generated) await BackupCodes.replace(tx, actor.userId, generated, now);
    const target = { type: "user", id: actor.userId, name: "" } as const;
    const changes = { webauthn: { before: null, after: name } };
    await Event.record(tx, actor, { action: "user.webauthn_added", target, changes }, now);
    return isFirstFactor ? generated : undefined;
  }).catch((error: unknown) => {
    throw violates(error, "webauthn_credentials_credential")
      ? new Fault("conflict", "credential_known", "This device is already registered.", {
          cause: error,
        })
      : error;
  });
  await Notice.send(actor, addedNotice(kind, name), now);
  const key = { id, kind, credentialId: credential.id, name, createdAt: now.toISOString(), lastUsedAt: null };
  return codeSet ? { ...key, backupCodes: codeSet.codes } : key;
}

/**
 * Removes one of the caller's credentials, and the backup codes if no other factor remains. Throws `missing`
 * `factor_not_found`.
 */
export async function remove(actor: Actor, id: string, now: Date = Clock.now()): Promise<void> {
  const { name, kind } = await transaction(async (tx) => {
    const removed = await tx
      .deleteFrom("webauthn_credentials")
      .where("id", "=", id)
      .where("user_id", "=", actor.userId)
      .returning(["name", "discoverable"])
      .executeTakeFirst();
    if (!removed) throw new Fault("missing", "factor_not_found", "Security key not found.");
    await BackupCodes.removeIfUnused(tx, actor.userId);
    const target = { type: "user", id: actor.userId, name: "" } as const;
    const changes = { webauthn: { before: removed.name, after: null } };
    await Event.record(tx, actor, { action: "user.webauthn_removed", target, changes }, now);
    return { name: removed.name, kind: Factors.kindOf(removed) };
  });
  await Notice.send(actor, removedNotice(kind, name), now);
}

/**
 * Returns the options for a browser to request one of the user's credentials in this sign-in. Throws `missing`
 * `factor_not_found`.
 */
export async function loginOptions(userId: string, loginId: string, now: Date): Promise<Options> {
  const allowCredentials = await credentialsOf(userId);
  if (allowCredentials.length === 0)
    throw new Fault(
      "missing",
      "factor_not_found",
      "No passkey or security key is registered. Use another method.",
    );
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
    .select(["id", "public_key", "counter"])
    .where("credential_id", "=", assertion.id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (!stored) return false;
  const publicKey = new Uint8Array(Buffer.from(stored.public_key, "base64url"));
  const counter = await undefinedIfInvalid(() => verify(publicKey, assertion, challenge));
  return counter !== undefined && (await recordUse(stored, counter, now));
}

/**
 * Consumes the challenge of an attestation and verifies it. The challenge tells the requested kind; a passkey that the
 * authenticator did not store is only a second factor. Throws `invalid` `credential_invalid`.
 */
async function verifyAttestation(
  actor: Actor,
  attestation: Attestation,
  now: Date,
): Promise<Pick<NewCredential, "credential" | "kind">> {
  const challenge = challengeOf(attestation.response.clientDataJSON);
  const requested = challenge && (await consumeRegistration(actor, challenge, now));
  if (!challenge || !requested) throw invalidCredential();
  const { id: rpId, origin } = relyingParty();
  const { verifyRegistrationResponse } = await library();
  const result = await undefinedIfInvalid(() =>
    verifyRegistrationResponse({
      response: attestation as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }),
  );
  if (!result?.verified) throw invalidCredential();
  // Not every browser reports whether it stored the passkey. One that is required and not stored is reported as a failure.
  const stored = attestation.clientExtensionResults?.credProps?.rk !== false;
  return { credential: result.registrationInfo.credential, kind: stored ? requested : "security_key" };
}

async function consumeRegistration(
  actor: Actor,
  challenge: string,
  now: Date,
): Promise<Factors.Kind | undefined> {
  for (const kind of Factors.kinds)
    if (await Challenge.consume(challenge, registrationCeremony(actor, kind), now)) return kind;
  return undefined;
}

async function insertCredential(
  tx: Tx,
  userId: string,
  { id, name, kind, credential, transports }: NewCredential,
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
      discoverable: kind === "passkey",
      user_handle: userHandle(userId).toString("base64url"),
      created_at: now,
    })
    .execute();
}

type NewCredential = {
  id: string;
  name: string;
  kind: Factors.Kind;
  credential: WebAuthnCredential;
  transports: string[];
};

/** Lists the user's credentials for a browser, all or only the passkeys. */
async function credentialsOf(
  userId: string,
  onlyPasskeys = false,
): Promise<{ id: string; transports: string[] }[]> {
  let selection = db()
    .selectFrom("webauthn_credentials")
    .select(["credential_id", "transports"])
    .where("user_id", "=", userId)
    .orderBy("id");
  if (onlyPasskeys) selection = selection.where("discoverable", "is", true);
  const rows = await selection.execute();
  return rows.map(({ credential_id, transports }) => ({
    id: credential_id,
    transports: transports.split(",").filter(Boolean),
  }));
}

/** The bytes that name a user to authenticators. All credentials of a user have the same ones. */
function userHandle(userId: string): Buffer<ArrayBuffer> {
  return Buffer.from(userId);
}

function registrationCeremony({ userId, sessionId }: Actor, kind: Factors.Kind): Challenge.Ceremony {
  const ceremony = kind === "passkey" ? "passkey_registration" : "registration";
  return { ceremony, userId, boundTo: sessionId };
}

function loginCeremony(userId: string, loginId: string): Challenge.Ceremony {
  return { ceremony: "login", userId, boundTo: loginId };
}

const defaultNames: Record<Factors.Kind, string> = { passkey: "Passkey", security_key: "Security key" };

function addedNotice(kind: Factors.Kind, name: string): Notice.Notice {
  return kind === "passkey"
    ? {
        subject: "A passkey was added",
        text: `The passkey “${name}” was added to your account. It signs you in without your password.`,
      }
    : {
        subject: "A security key was added",
        text: `The security key “${name}” was added to your account as a second factor.`,
      };
}

function removedNotice(kind: Factors.Kind, name: string): Notice.Notice {
  const noun = kind === "passkey" ? "passkey" : "security key";
  return {
    subject: `A ${noun} was removed`,
    text: `The ${noun} “${name}” was removed from your account. It can no longer be used to sign in.`,
  };
}

function invalidCredential(): Fault {
  return invalidWithCode(
    { pointer: "/credential" },
    "credential_invalid",
    `The device could not be verified. Request new options and use them within ${Challenge.minutes} minutes, with user verification.`,
  );
}
