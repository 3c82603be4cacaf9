import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { newId } from "../../base/id.ts";
import { singleLine } from "../../base/text.ts";
import * as Event from "../../event/event.ts";
import * as Config from "../../platform/config/config.ts";
import { db } from "../../platform/db/engine.ts";
import { transaction, violates } from "../../platform/db/transaction.ts";
import { log } from "../../platform/log/log.ts";
import * as Notice from "../notices/notice.ts";
import * as BackupCodes from "./backup-codes.ts";
import * as Challenge from "./challenge.ts";
import * as Factors from "./factors.ts";

/** The library takes 170 ms to load, so only what needs it waits for it. */
const library = () => import("@simplewebauthn/server");

/**
 * COSE numbers of the signatures that are taken: EdDSA, ES256, RS256. The library's own default asks Node for what it
 * only has as an experiment, which warns.
 */
const algorithms = [-8, -7, -257];

const Encoded = z.string().check(z.maxLength(16_384), z.regex(/^[\w-]+$/, "Not base64url."));

/** What `credential.toJSON()` gives in a browser after `navigator.credentials.create` (WebAuthn Level 3, 5.1). */
const Attestation = z.looseObject({
  id: Encoded,
  rawId: Encoded,
  type: z.literal("public-key"),
  response: z.looseObject({
    clientDataJSON: Encoded,
    attestationObject: Encoded,
    transports: z.optional(
      z.array(z.string().check(z.regex(/^[a-z-]{1,20}$/, "Not a transport."))).check(z.maxLength(10)),
    ),
  }),
});

export const Register = z.object({ credential: Attestation, name: z.optional(singleLine(1, 100)) });
export type Register = z.infer<typeof Register>;

export const Registered = z.extend(Factors.Key, {
  /** Only with a person's first second factor. */
  backupCodes: z.optional(z.array(z.string())),
});
export type Registered = z.infer<typeof Registered>;

/** The same after `navigator.credentials.get`. */
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

/** What the browser needs to make a credential on the caller's device. */
export async function registrationOptions(actor: Actor, now: Date = Clock.now()): Promise<Options> {
  const user = await db()
    .selectFrom("users")
    .select(["email", "name"])
    .where("id", "=", actor.userId)
    .executeTakeFirstOrThrow();
  const excludeCredentials = await credentialsOf(actor.userId);
  const { bytes } = await Challenge.issue(registration(actor), now);
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
 * Keep the credential that the browser made: it is a second factor from now on. The first one comes with twelve backup
 * codes. Throws 422 `credential_invalid` and 409 `credential_known`.
 */
export async function register(
  actor: Actor,
  { credential: response, name = "Security key" }: Register,
  now: Date = Clock.now(),
): Promise<Registered> {
  const credential = await attested(actor, response as unknown as RegistrationResponseJSON, now);
  const fresh = (await Factors.enabled(db(), actor.userId)) ? undefined : await BackupCodes.make();
  const id = newId("wan", now);
  const shown = await transaction(async (tx) => {
    const shown = (await Factors.enabled(tx, actor.userId)) ? undefined : fresh;
    await tx
      .insertInto("webauthn_credentials")
      .values({
        id,
        user_id: actor.userId,
        credential_id: credential.id,
        public_key: Buffer.from(credential.publicKey).toString("base64url"),
        counter: BigInt(credential.counter),
        transports: (response.response.transports ?? []).join(","),
        name,
        created_at: now,
      })
      .execute();
    if (shown) await BackupCodes.replace(tx, actor.userId, shown, now);
    const target = { type: "user", id: actor.userId, name: "" } as const;
    const changes = { webauthn: { before: null, after: name } };
    await Event.record(tx, actor, { action: "user.webauthn_added", target, changes }, now);
    return shown;
  }).catch((error: unknown) => {
    throw violates(error, "webauthn_credentials_credential")
      ? new Fault("conflict", "credential_known", "This device is registered already.", { cause: error })
      : error;
  });
  await Notice.send(
    actor,
    {
      subject: "A security key was added",
      what: `The security key or device “${name}” was added to your account as a second factor.`,
    },
    now,
  );
  const key = { id, name, createdAt: now.toISOString(), lastUsedAt: null };
  return shown ? { ...key, backupCodes: shown.codes } : key;
}

/** The credential is no factor any more; without another one, the backup codes are void too. Throws 404 `factor_not_found`. */
export async function remove(actor: Actor, id: string, now: Date = Clock.now()): Promise<void> {
  const { name } = await transaction(async (tx) => {
    const gone = await tx
      .deleteFrom("webauthn_credentials")
      .where("id", "=", id)
      .where("user_id", "=", actor.userId)
      .returning("name")
      .executeTakeFirst();
    if (!gone) throw new Fault("missing", "factor_not_found", "There is no such security key.");
    await BackupCodes.dropIfAlone(tx, actor.userId);
    const target = { type: "user", id: actor.userId, name: "" } as const;
    const changes = { webauthn: { before: gone.name, after: null } };
    await Event.record(tx, actor, { action: "user.webauthn_removed", target, changes }, now);
    return gone;
  });
  await Notice.send(
    actor,
    {
      subject: "A security key was removed",
      what: `The security key or device “${name}” was removed from your account and is no second factor any more.`,
    },
    now,
  );
}

/** What the browser needs to ask the device of this person in this login. Throws 404 `factor_not_found`. */
export async function loginOptions(userId: string, loginId: string, now: Date): Promise<Options> {
  const allowCredentials = await credentialsOf(userId);
  if (allowCredentials.length === 0)
    throw new Fault("missing", "factor_not_found", "No security key is registered. Use another method.");
  const { bytes } = await Challenge.issue(login(userId, loginId), now);
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
 * Judge an assertion for this login: challenge, origin, relying party, user verification, signature, counter. Each is good
 * once: its challenge is used up first, and its counter must be above the last one.
 */
export async function spend(
  userId: string,
  loginId: string,
  assertion: Assertion,
  now: Date,
): Promise<boolean> {
  const challenge = challengeOf(assertion.response.clientDataJSON);
  if (!challenge || !(await Challenge.take(challenge, login(userId, loginId), now))) return false;
  const row = await db()
    .selectFrom("webauthn_credentials")
    .select(["id", "credential_id", "public_key", "counter"])
    .where("credential_id", "=", assertion.id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (!row) return false;
  const { id: rpId, origin } = relyingParty();
  const { verifyAuthenticationResponse } = await library();
  const verified = await judged(() =>
    verifyAuthenticationResponse({
      response: assertion as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      credential: {
        id: row.credential_id,
        publicKey: new Uint8Array(Buffer.from(row.public_key, "base64url")),
        counter: Number(row.counter),
      },
    }),
  );
  if (!verified?.verified) return false;
  const { numUpdatedRows } = await transaction((tx) =>
    tx
      .updateTable("webauthn_credentials")
      .set({ counter: BigInt(verified.authenticationInfo.newCounter), last_used_at: now })
      .where("id", "=", row.id)
      .where("counter", "=", row.counter)
      .executeTakeFirst(),
  );
  return numUpdatedRows === 1n;
}

async function attested(actor: Actor, response: RegistrationResponseJSON, now: Date) {
  const challenge = challengeOf(response.response.clientDataJSON);
  if (!challenge || !(await Challenge.take(challenge, registration(actor), now))) throw invalid();
  const { id: rpId, origin } = relyingParty();
  const { verifyRegistrationResponse } = await library();
  const verified = await judged(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }),
  );
  if (!verified?.verified) throw invalid();
  return verified.registrationInfo.credential;
}

/** The library throws plain errors for whatever is wrong with what it was given; which of them is for our log alone. */
async function judged<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch (error) {
    log.info("webauthn response refused", { error: error as Error });
    return undefined;
  }
}

/** Which challenge an answer is for; undefined when it is no client data at all. */
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

/** A credential belongs to the web client's origin and its host, whatever host the API is called by. */
function relyingParty(): { id: string; origin: string } {
  const origin = Config.appUrl();
  return { id: new URL(origin).hostname, origin };
}

function registration({ userId, sessionId }: Actor): Challenge.Ceremony {
  return { ceremony: "registration", userId, boundTo: sessionId };
}

function login(userId: string, loginId: string): Challenge.Ceremony {
  return { ceremony: "login", userId, boundTo: loginId };
}

function invalid(): Fault {
  const message =
    "The device’s answer cannot be taken: it must be to options from the last five minutes, with the user verified.";
  return new Fault("invalid", "credential_invalid", message, {
    errors: [{ pointer: "/credential", code: "credential_invalid", detail: message }],
  });
}
