import * as AuthenticatorApp from "@svc/core/identity/factors/authenticator-app";
import * as Challenge from "@svc/core/identity/factors/challenge";
import * as LockOut from "@svc/core/identity/password/lock-out";
import * as PasswordReset from "@svc/core/identity/password/reset";
import * as Registration from "@svc/core/identity/registration/verification";
import * as Session from "@svc/core/identity/sessions/session";
import * as LoginHistory from "@svc/core/identity/sign-in/login-history";
import * as ApiToken from "@svc/core/identity/tokens/api-token";
import * as Anonymize from "@svc/core/lifecycle/anonymize";
import * as Idempotency from "@svc/core/platform/limit/idempotency";
import * as RateLimit from "@svc/core/platform/limit/rate-limit";
import { log } from "@svc/core/platform/log/log";
import * as Reports from "@svc/core/report/purge";
import * as Delivery from "@svc/core/webhook/delivery";
import * as Invitation from "@svc/core/workspace/invitations/invitation";

/** Deletes expired rows and report files, and finishes interrupted account deletions. Returns how many of each. */
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
    deletedAccountRows: await Anonymize.finishInterrupted(),
    // Last, because it also needs the bucket: if storage is down, everything else is already purged.
    reports: await Reports.purge(),
  };
  log.info("expired rows purged", purged);
  return purged;
}
