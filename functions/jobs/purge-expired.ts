import * as PasswordReset from "@svc/core/account/password-reset";
import * as Registration from "@svc/core/account/registration";
import * as Scrub from "@svc/core/account/scrub";
import * as Idempotency from "@svc/core/limit/idempotency";
import * as RateLimit from "@svc/core/limit/rate-limit";
import { log } from "@svc/core/log/log";
import * as Reports from "@svc/core/report/purge";
import * as ApiToken from "@svc/core/security/api-token";
import * as AuthenticatorApp from "@svc/core/security/authenticator-app";
import * as Challenge from "@svc/core/security/challenge";
import * as LockOut from "@svc/core/security/lock-out";
import * as LoginHistory from "@svc/core/security/login-history";
import * as Session from "@svc/core/security/session";
import * as Invitation from "@svc/core/team/invitation";
import * as Delivery from "@svc/core/webhook/delivery";

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
    deliveries: await Delivery.purge(),
    logins: await LoginHistory.purge(),
    apiTokens: await ApiToken.purge(),
    invitations: await Invitation.purge(),
    ofDeletedPeople: await Scrub.finish(),
    // Last, since it alone needs more than the database.
    reports: await Reports.purge(),
  };
  log.info("purged", purged);
  return purged;
}
