import * as z from "zod/mini";
import type { RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { db } from "../../platform/db/engine.ts";
import * as Location from "../../platform/location/location.ts";
import * as Device from "../devices/device.ts";
import * as SecondFactor from "../factors/second-factor.ts";
import * as WebAuthn from "../factors/webauthn.ts";
import * as LockOut from "../password/lock-out.ts";
import * as Token from "../sessions/token.ts";
import { enter, type LoggedIn, passwordMark } from "./login.ts";
import * as LoginHistory from "./login-history.ts";
import * as Arrival from "./sign-in-record.ts";

const mfaToken = z.string().check(z.minLength(1), z.maxLength(2000));

/** The second factor of a login whose password was right. */
export const Finish = z.discriminatedUnion("method", [
  z.extend(SecondFactor.CodeProof, { mfaToken }),
  z.object({ method: z.literal("webauthn"), credential: WebAuthn.Assertion, mfaToken }),
]);
export type Finish = z.infer<typeof Finish>;

export const Begun = z.object({ mfaToken });
export type Begun = z.infer<typeof Begun>;

/**
 * Let in whoever has the second factor too. Throws 401 `token_invalid` or `token_expired` when the first step has to be
 * done again, 401 `invalid_credentials` for a wrong factor, and 429 `account_temporarily_locked`: failures are counted
 * together with those of the password.
 */
export async function finish(
  input: Finish,
  origin: RequestOrigin,
  now: Date = Clock.now(),
): Promise<LoggedIn> {
  const { id: loginId, deviceName, deviceToken, user } = await begun(input, now);
  const known = await Device.known(user.id, deviceToken);
  const subject = LockOut.subject(user.email_key, known?.id);
  await LockOut.attempt(subject, now);
  const proved =
    input.method === "webauthn"
      ? await WebAuthn.spend(user.id, loginId, input.credential, now)
      : await SecondFactor.check({ ...origin, userId: user.id }, input, now);
  if (!proved) {
    await LoginHistory.failed(user.id, origin, await Location.locate(origin), input.method, now);
    throw new Fault("unauthenticated", "invalid_credentials", "The second factor is not right. Try again.");
  }
  await LockOut.succeeded(subject);
  const device = known && deviceToken ? { known, token: deviceToken } : { name: deviceName };
  return enter(user, device, origin, now, { method: input.method, alerts: Arrival.alerts });
}

/** What the browser needs to ask the person's device. Throws 401 as `finish` does, and 404 `factor_not_found`. */
export async function webauthnOptions(input: Begun, now: Date = Clock.now()): Promise<WebAuthn.Options> {
  const { id: loginId, user } = await begun(input, now);
  return WebAuthn.loginOptions(user.id, loginId, now);
}

/** The login that a token is the second step of, while the password that began it is still the right one. */
async function begun({ mfaToken }: Begun, now: Date) {
  const token = await Token.verifyMfa(mfaToken, now);
  const user = await db()
    .selectFrom("users")
    .select(["id", "name", "email_key", "password_hash"])
    .where("id", "=", token.userId)
    .executeTakeFirst();
  if (!user || passwordMark(user.password_hash) !== token.passwordMark)
    throw new Fault("unauthenticated", "token_invalid", "This login is no longer valid. Begin again.");
  return { ...token, user };
}
