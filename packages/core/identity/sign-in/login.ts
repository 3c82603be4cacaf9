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
import * as Arrival from "./sign-in-record.ts";

export const Credentials = z.object({
  email: EmailAddress.Email,
  password: z.string().check(z.minLength(1), z.maxLength(maxLength)),
  /** How the owner's list of devices shall call this one. */
  deviceName: z.optional(singleLine(1, 100)),
  /** From the last login on this device: by it the device is known. */
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

/** How long the second step may take. */
export const mfaMinutes = 5;

/** The password was right, and is not enough: a token for the second step, which opens nothing else. */
export const MfaRequired = z.object({
  mfaRequired: z.literal(true),
  mfaToken: z.string(),
  methods: z.array(z.enum(Factors.methods)),
  expiresAt: z.iso.datetime(),
});
export type MfaRequired = z.infer<typeof MfaRequired>;

/**
 * Let the owner of this address and password in, or ask for the second factor. Throws 401 `invalid_credentials` in the same words and after the same
 * work whether the address is unknown or the password wrong, and 429 `account_temporarily_locked` after too many tries.
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
  const known = await Device.known(user?.id ?? "", input.deviceToken);
  const subject = LockOut.subject(emailKey, known?.id);
  await LockOut.attempt(subject, now);
  const matches = await Password.matches(input.password, user?.password_hash ?? Password.unmatchable());
  if (!user || !matches) {
    await LoginHistory.failed(user?.id, origin, await Location.locate(origin), "password", now);
    throw new Fault("unauthenticated", "invalid_credentials", "The address or the password is not right.");
  }
  const methods = await Factors.methodsOf(db(), user.id);
  if (methods.length > 0) {
    await LockOut.halfway(subject);
    return askForFactor(user, methods, input, now);
  }
  await LockOut.succeeded(subject);
  const device =
    known && input.deviceToken ? { known, token: input.deviceToken } : { name: input.deviceName };
  return enter(user, device, origin, now, { alerts: Arrival.alerts });
}

export type Entrance = {
  /** By what the person proved who they are, in the end. */
  method?: LoginHistory.Method;
  /** Until then the session passes address lists, for an administrator. */
  bypassUntil?: Date;
  /** Further rows of the same transaction. */
  also?: (tx: Tx) => Promise<void>;
  /** Warnings about the sign-in. Absent for functions that need neither the queue nor the mail server. */
  alerts?: typeof Arrival.alerts;
};

/** Open a session for a person who has proved who they are, and answer what a login answers. */
export async function enter(
  user: { id: string; name: string },
  device: Device.Presented,
  origin: RequestOrigin,
  now: Date,
  { method = "password", bypassUntil, also, alerts }: Entrance,
): Promise<LoggedIn> {
  const place = await Location.locate(origin);
  const { session, arrived } = await transaction(async (tx) => {
    const arrived = await Arrival.arrive(
      tx,
      { user, device, origin, place, method, publish: alerts?.publish },
      now,
    );
    const how = { country: place.country, bypassUntil };
    const session = await Session.open(tx, user.id, arrived.deviceId, origin, now, how);
    const target = { type: "user", id: user.id, name: user.name } as const;
    await Event.record(tx, { ...origin, userId: user.id }, { action: "user.logged_in", target }, now);
    await also?.(tx);
    return { session, arrived };
  });
  await alerts?.send(arrived.letters, origin);
  const [token, me] = await Promise.all([Session.token(session), Profile.me({ userId: user.id })]);
  const { deviceToken } = arrived;
  return { token, tokenType: "Bearer", expiresAt: session.expiresAt.toISOString(), deviceToken, user: me };
}

/** Stands for a password without telling anything of it: what was begun with one does not go on with another. */
export function passwordMark(passwordHash: string): string {
  return hashSecret(passwordHash).slice(0, 16);
}

async function askForFactor(
  user: { id: string; password_hash: string },
  methods: MfaRequired["methods"],
  { deviceName, deviceToken }: Credentials,
  now: Date,
): Promise<MfaRequired> {
  const expiresAt = new Date(now.getTime() + mfaMinutes * 60_000);
  const pending = { id: newId("mfa", now), userId: user.id, passwordMark: passwordMark(user.password_hash) };
  const mfaToken = await Token.signMfa({ ...pending, deviceName, deviceToken }, now, expiresAt);
  return { mfaRequired: true, mfaToken, methods, expiresAt: expiresAt.toISOString() };
}

/** The session is over at once, on every function instance. */
export async function logout(actor: Actor, now: Date = Clock.now()): Promise<void> {
  await transaction(async (tx) => {
    await Session.end(tx, actor.userId, actor.sessionId, now);
    const target = { type: "user", id: actor.userId, name: "" } as const;
    await Event.record(tx, actor, { action: "user.logged_out", target }, now);
  });
}
