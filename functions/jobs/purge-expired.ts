import * as PasswordReset from "@svc/core/account/password-reset";
import * as Registration from "@svc/core/account/registration";
import * as Idempotency from "@svc/core/limit/idempotency";
import * as RateLimit from "@svc/core/limit/rate-limit";
import { log } from "@svc/core/log/log";
import * as Reports from "@svc/core/report/purge";
import * as AuthenticatorApp from "@svc/core/security/authenticator-app";
import * as Challenge from "@svc/core/security/challenge";
import * as LockOut from "@svc/core/security/lock-out";
import * as Session from "@svc/core/security/session";

/** Forget rows that no longer mean anything, and files that are kept no longer. Answers how many of each. */
export async function handler(): Promise<Record<string, number>> {
  const purged = {
    registrations: await Registration.purge(),
    passwordResets: await PasswordReset.purge(),
    unconfirmedApps: await AuthenticatorApp.purge(),
    webauthnChallenges: await Challenge.purge(),
    sessions: await Session.purge(),
    loginFailures: await LockOut.purge(),
    rateCounters: await RateLimit.purge(),
    idempotentCalls: await Idempotency.purge(),
    // Last, since it alone needs more than the database.
    reports: await Reports.purge(),
  };
  log.info("purged", purged);
  return purged;
}
