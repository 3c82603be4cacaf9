import * as z from "zod/mini";
import type { Actor, RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import * as EmailAddress from "../../base/email-address.ts";
import { Fault } from "../../base/fault.ts";
import { newId } from "../../base/id.ts";
import { Instant } from "../../base/instant.ts";
import { singleLine } from "../../base/text.ts";
import * as Event from "../../event/event.ts";
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
import * as FailedSignIn from "./failed-sign-in.ts";
import type * as LoginHistory from "./login-history.ts";
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
  expiresAt: Instant,
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
  expiresAt: Instant,
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
  let methods: MfaRequired["methods"] = [];
  const check = async (): Promise<LockOut.Outcome> => {
    const matches = await Password.matches(input.password, user?.password_hash ?? Password.unmatchable());
    if (!user || !matches) return "failure";
    methods = await Factors.methodsOf(db(), user.id);
    return methods.length > 0 ? "progress" : "success";
  };
  const outcome = await FailedSignIn.attempt(subject, check, user, origin, now);
  if (!user || outcome === "failure") {
    await FailedSignIn.record(user, origin, "password", now);
    throw new Fault("unauthenticated", "invalid_credentials", "Incorrect email or password.");
  }
  if (outcome === "progress") return requestSecondFactor(user, methods, input, now);
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

/** A user with the password hash at the time of their authentication. */
export type Authenticated = { id: string; name: string; password_hash: string };

/**
 * Records the sign-in of an authenticated user, opens a session and returns its token. Throws `unauthenticated`
 * `invalid_credentials` if the password has changed since the authentication, because a new password ends only the sessions
 * that exist by then.
 */
export async function startSession(
  user: Authenticated,
  device: Device.Presented,
  origin: RequestOrigin,
  now: Date,
  { method = "password", bypassUntil, alsoInTransaction, alerts }: StartOptions,
): Promise<LoggedIn> {
  const location = await Location.locate(origin);
  const { session, record } = await transaction(async (tx) => {
    await requireUnchangedPassword(tx, user);
    const signIn = { user, device, origin, location, method };
    const record = await SignInRecord.record(tx, signIn, now, alerts?.publish);
    const options = { country: location.country, bypassUntil };
    const session = await Session.open(tx, user.id, record.deviceId, origin, now, options);
    const target = { type: "user", id: user.id, name: user.name } as const;
    const by = { ...origin, viewer: location, userId: user.id };
    const changes = Event.changes({}, FailedSignIn.methodOf(method));
    await Event.record(tx, by, { action: "user.logged_in", target, changes }, now);
    await alsoInTransaction?.(tx);
    return { session, record };
  });
  await alerts?.sendEmails(record.emails, origin);
  const [token, me] = await Promise.all([Session.token(session), Profile.me({ userId: user.id })]);
  const { deviceToken } = record;
  return { token, tokenType: "Bearer", expiresAt: session.expiresAt.toISOString(), deviceToken, user: me };
}

async function requireUnchangedPassword(tx: Tx, { id, password_hash }: Authenticated): Promise<void> {
  const unchanged = await tx
    .selectFrom("users")
    .select("id")
    .where("id", "=", id)
    .where("password_hash", "=", password_hash)
    .executeTakeFirst();
  if (unchanged) return;
  throw new Fault(
    "unauthenticated",
    "invalid_credentials",
    "The password was changed during this sign-in. Sign in again.",
  );
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
    passwordFingerprint: Password.fingerprint(user.password_hash),
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
