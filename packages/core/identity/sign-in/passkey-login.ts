import * as z from "zod/mini";
import type { RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { db } from "../../platform/db/engine.ts";
import * as Device from "../devices/device.ts";
import * as Passkey from "../factors/passkey.ts";
import * as FailedSignIn from "./failed-sign-in.ts";
import { type Authenticated, Credentials, type LoggedIn, startSession } from "./login.ts";
import * as SignInRecord from "./sign-in-record.ts";

export const SignIn = z.extend(
  Passkey.Proof,
  z.pick(Credentials, { deviceName: true, deviceToken: true }).shape,
);
export type SignIn = z.infer<typeof SignIn>;

/**
 * Signs a user in with a passkey, which stands for both factors. Throws `unauthenticated` `invalid_credentials` with the same
 * message and after the same work for an unknown credential as for a wrong assertion. Neither reads nor changes the
 * lock-out, because a passkey cannot be guessed, and strangers must not be able to block it.
 */
export async function signIn(
  input: SignIn,
  origin: RequestOrigin,
  now: Date = Clock.now(),
): Promise<LoggedIn> {
  const { user, device } = await authenticate(input, origin, now);
  return startSession(user, device, origin, now, { method: "passkey", alerts: SignInRecord.alerts });
}

/**
 * Authenticates a user by a passkey, and recognizes the device. Records a failure, and throws `unauthenticated`
 * `invalid_credentials`.
 */
export async function authenticate(
  input: SignIn,
  origin: RequestOrigin,
  now: Date,
): Promise<{ user: Authenticated; device: Device.Presented }> {
  const { valid, userId } = await Passkey.authenticate(input, now);
  if (!valid) {
    await FailedSignIn.record({ id: userId, name: "" }, origin, "passkey", now);
    throw new Fault("unauthenticated", "invalid_credentials", Passkey.rejected);
  }
  const user = await db()
    .selectFrom("users")
    .select(["id", "name", "password_hash"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  const { deviceName, deviceToken } = input;
  const known = await Device.findByToken(user.id, deviceToken);
  const device = known && deviceToken ? { known, token: deviceToken } : { name: deviceName };
  return { user, device };
}
