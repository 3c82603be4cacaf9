import * as z from "zod/mini";
import type { RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { db } from "../../platform/db/engine.ts";
import * as Device from "../devices/device.ts";
import { Assertion, type Options } from "../factors/assertion.ts";
import * as SecondFactor from "../factors/second-factor.ts";
import * as WebAuthn from "../factors/webauthn.ts";
import * as Password from "../password/hash.ts";
import * as LockOut from "../password/lock-out.ts";
import * as Token from "../sessions/token.ts";
import * as FailedSignIn from "./failed-sign-in.ts";
import { type LoggedIn, startSession } from "./login.ts";
import * as SignInRecord from "./sign-in-record.ts";

const mfaToken = z.string().check(z.minLength(1), z.maxLength(2000));

/** The second factor of a sign-in whose password was correct. */
export const Finish = z.discriminatedUnion("method", [
  z.extend(SecondFactor.CodeProof, { mfaToken }),
  z.object({ method: z.literal("webauthn"), credential: Assertion, mfaToken }),
]);
export type Finish = z.infer<typeof Finish>;

export const Begun = z.object({ mfaToken });
export type Begun = z.infer<typeof Begun>;

/**
 * Completes a sign-in with a second factor. Throws `unauthenticated` `token_invalid` or `token_expired` if the sign-in must
 * start over, `unauthenticated` `invalid_credentials` for a wrong factor, and `busy` `account_temporarily_locked`. Failures
 * are counted together with those of the password.
 */
export async function finish(
  input: Finish,
  origin: RequestOrigin,
  now: Date = Clock.now(),
): Promise<LoggedIn> {
  const { id: loginId, deviceName, deviceToken, user } = await pendingLogin(input, now);
  const known = await Device.findByToken(user.id, deviceToken);
  const subject = LockOut.subject(user.email_key, known?.id);
  const check = async (): Promise<LockOut.Outcome> => {
    const valid =
      input.method === "webauthn"
        ? await WebAuthn.consume(user.id, loginId, input.credential, now)
        : await SecondFactor.consume({ ...origin, userId: user.id }, input, now);
    return valid ? "success" : "failure";
  };
  if ((await FailedSignIn.attempt(subject, check, user, origin, now)) === "failure") {
    await FailedSignIn.record(user, origin, input.method, now);
    throw new Fault("unauthenticated", "invalid_credentials", "Incorrect second factor. Try again.");
  }
  const device = known && deviceToken ? { known, token: deviceToken } : { name: deviceName };
  return startSession(user, device, origin, now, {
    method: input.method,
    alerts: SignInRecord.alerts,
  });
}

/**
 * Returns the options for a browser to request a credential. Throws `missing` `factor_not_found`, and `unauthenticated` like
 * `finish`.
 */
export async function webauthnOptions(input: Begun, now: Date = Clock.now()): Promise<Options> {
  const { id: loginId, user } = await pendingLogin(input, now);
  return WebAuthn.loginOptions(user.id, loginId, now);
}

/** Loads the sign-in that a token continues. Throws `token_invalid` if the password has changed since the first step. */
async function pendingLogin({ mfaToken }: Begun, now: Date) {
  const token = await Token.verifyMfa(mfaToken, now);
  const user = await db()
    .selectFrom("users")
    .select(["id", "name", "email_key", "password_hash"])
    .where("id", "=", token.userId)
    .executeTakeFirst();
  if (!user || Password.fingerprint(user.password_hash) !== token.passwordFingerprint)
    throw new Fault("unauthenticated", "token_invalid", "This sign-in is no longer valid. Start over.");
  return { ...token, user };
}
