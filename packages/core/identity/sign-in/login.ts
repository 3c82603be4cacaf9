import * as z from "zod/mini";
import type { Actor, RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import * as EmailAddress from "../../base/email-address.ts";
import { Fault } from "../../base/fault.ts";
import { newId } from "../../base/id.ts";
import { singleLine } from "../../base/text.ts";
import * as Event from "../../event/event.ts";
import { hashSecret } from "../../platform/crypto/secret.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import * as Location from "../../platform/location/location.ts";
import * as Device from "../devices/device.ts";
import * as Factors from "../factors/factors.ts";
import * as Password from "../password/hash.ts";
import * as LockOut from "../password/lock-out.ts";
import { maxLength } from "../password/password-policy.ts";
import * as Profile from "../profile/profile.ts";
import * as Session from "../sessions/session.ts";
import * as Token from "../sessions/token.ts";
import * as LoginHistory from "./login-history.ts";
import * as SignInRecord from "./sign-in-record.ts";

export const Credentials = z.object({
  email: EmailAddress.Email,
  password: z.string().check(z.minLength(1), z.maxLength(maxLength)),
  /** Name for this device in the user's list of devices. */
  deviceName: z.optional(singleLine(1, 100)),
  /** Device token of the last sign-in on this device, which identifies it. */
  deviceToken: z.optional(z.string().check(z.maxLength(100))),
});
export type Credentials = z.infer<typeof Credentials>;

export const LoggedIn = z.object({
  token: z.string(),
  tokenType: z.literal("Bearer"),
  expiresAt: z.iso.datetime(),
  deviceToken: z.string(),
  user: Profile.Me,
});
export type LoggedIn = z.infer<typeof LoggedIn>;

/** How long the second step can be completed. */
export const mfaMinutes = 5;

/** The password was correct, but a second factor is required. The token grants access to the second step only. */
export const MfaRequired = z.object({
  mfaRequired: z.literal(true),
  mfaToken: z.string(),
  methods: z.array(z.enum(Factors.methods)),
  expiresAt: z.iso.datetime(),
});
export type MfaRequired = z.infer<typeof MfaRequired>;

/**
 * Signs a user in with email and password, or returns `mfaRequired` if a second factor is needed. Throws `unauthenticated`
 * `invalid_credentials` with the same message and after the same work for an unknown email as for a wrong password, and
 * `busy` `account_temporarily_locked` after too many attempts.
 */
export async function login(
  input: Credentials,
  origin: RequestOrigin,
  now: Date = Clock.now(),
): Promise<LoggedIn | MfaRequired> {
  const emailKey = EmailAddress.key(input.email);
  const user = await db()
    .selectFrom("users")
    .select(["id", "name", "password_hash"])
    .where("email_key", "=", emailKey)
    .executeTakeFirst();
  const known = await Device.findByToken(user?.id ?? "", input.deviceToken);
  const subject = LockOut.subject(emailKey, known?.id);
  await LockOut.attempt(subject, now);
  const matches = await Password.matches(input.password, user?.password_hash ?? Password.unmatchable());
  if (!user || !matches) {
    await LoginHistory.recordFailure(user?.id, origin, await Location.locate(origin), "password", now);
    throw new Fault("unauthenticated", "invalid_credentials", "Incorrect email or password.");
  }
  const methods = await Factors.methodsOf(db(), user.id);
  if (methods.length > 0) {
    await LockOut.refundAttempt(subject);
    return requestSecondFactor(user, methods, input, now);
  }
  await LockOut.clear(subject);
  const device =
    known && input.deviceToken ? { known, token: input.deviceToken } : { name: input.deviceName };
  return startSession(user, device, origin, now, { alerts: SignInRecord.alerts });
}

export type StartOptions = {
  /** The method by which the user was authenticated last. */
  method?: LoginHistory.Method;
  /** The end of an admin's emergency bypass of IP allowlists. */
  bypassUntil?: Date;
  /** Writes further rows in the same transaction. */
  alsoInTransaction?: (tx: Tx) => Promise<void>;
  /** The event and the emails of the sign-in. Omitted by callers without access to the queue and a mail server. */
  alerts?: typeof SignInRecord.alerts;
};

/** Records the sign-in of an authenticated user, opens a session and returns its token. */
export async function startSession(
  user: { id: string; name: string },
  device: Device.Presented,
  origin: RequestOrigin,
  now: Date,
  { method = "password", bypassUntil, alsoInTransaction, alerts }: StartOptions,
): Promise<LoggedIn> {
  const location = await Location.locate(origin);
  const { session, record } = await transaction(async (tx) => {
    const signIn = { user, device, origin, location, method };
    const record = await SignInRecord.record(tx, signIn, now, alerts?.publish);
    const options = { country: location.country, bypassUntil };
    const session = await Session.open(tx, user.id, record.deviceId, origin, now, options);
    const target = { type: "user", id: user.id, name: user.name } as const;
    await Event.record(tx, { ...origin, userId: user.id }, { action: "user.logged_in", target }, now);
    await alsoInTransaction?.(tx);
    return { session, record };
  });
  await alerts?.sendEmails(record.emails, origin);
  const [token, me] = await Promise.all([Session.token(session), Profile.me({ userId: user.id })]);
  const { deviceToken } = record;
  return { token, tokenType: "Bearer", expiresAt: session.expiresAt.toISOString(), deviceToken, user: me };
}

/**
 * Returns a fingerprint of a password hash. Comparing fingerprints shows whether the password has changed since the first
 * step.
 */
export function passwordFingerprint(passwordHash: string): string {
  return hashSecret(passwordHash).slice(0, 16);
}

async function requestSecondFactor(
  user: { id: string; password_hash: string },
  methods: MfaRequired["methods"],
  { deviceName, deviceToken }: Credentials,
  now: Date,
): Promise<MfaRequired> {
  const expiresAt = new Date(now.getTime() + mfaMinutes * 60_000);
  const pending = {
    id: newId("mfa", now),
    userId: user.id,
    passwordFingerprint: passwordFingerprint(user.password_hash),
  };
  const mfaToken = await Token.signMfa({ ...pending, deviceName, deviceToken }, now, expiresAt);
  return { mfaRequired: true, mfaToken, methods, expiresAt: expiresAt.toISOString() };
}

/** Ends the caller's session, from the next request on. */
export async function logout(actor: Actor, now: Date = Clock.now()): Promise<void> {
  await transaction(async (tx) => {
    await Session.end(tx, actor.userId, actor.sessionId, now);
    const target = { type: "user", id: actor.userId, name: "" } as const;
    await Event.record(tx, actor, { action: "user.logged_out", target }, now);
  });
}
