import * as AuditLog from "@svc/core/audit/purge";
import * as EmailChange from "@svc/core/identity/email-change/email-change";
import * as AuthenticatorApp from "@svc/core/identity/factors/authenticator-app";
import * as Challenge from "@svc/core/identity/factors/challenge";
import * as LockOut from "@svc/core/identity/password/lock-out";
import * as ResetLink from "@svc/core/identity/password/reset-link";
import * as Registration from "@svc/core/identity/registration/verification";
import * as Session from "@svc/core/identity/sessions/session";
import * as LoginHistory from "@svc/core/identity/sign-in/login-history";
import * as ApiToken from "@svc/core/identity/tokens/api-token";
import * as Anonymize from "@svc/core/lifecycle/anonymize";
import * as Idempotency from "@svc/core/platform/limit/idempotency";
import * as RateLimit from "@svc/core/platform/limit/rate-limit";
import { log } from "@svc/core/platform/log/log";
import * as Reports from "@svc/core/report/purge";
import * as ProjectGuard from "@svc/core/tracking/projects/guard";
import * as Delivery from "@svc/core/webhook/delivery";
import * as Invitation from "@svc/core/workspace/invitations/invitation";
import { job } from "./job.ts";

const parts = {
  registrations: Registration.purge,
  passwordResets: ResetLink.purge,
  emailChanges: EmailChange.purge,
  unconfirmedApps: AuthenticatorApp.purge,
  webauthnChallenges: Challenge.purge,
  sessions: Session.purge,
  loginFailures: LockOut.purge,
  rateCounters: RateLimit.purge,
  idempotentCalls: Idempotency.purge,
  deliveries: Delivery.purge,
  logins: LoginHistory.purge,
  apiTokens: ApiToken.purge,
  invitations: Invitation.purge,
  deletedAccountRows: Anonymize.finishInterrupted,
  reports: Reports.purge,
  projectGuards: ProjectGuard.purge,
  // Last, because it may need all the time that is left after AUDIT_RETENTION_DAYS was set.
  events: AuditLog.purge,
};

/**
 * Deletes expired rows and report files, and finishes interrupted account deletions. Returns how many of each. A part that
 * fails is logged and does not stop the others; its error is thrown once all have run.
 */
export const handler = job(async (): Promise<Record<string, number>> => {
  const purged: Record<string, number> = {};
  let failure: unknown;
  for (const [part, purge] of Object.entries(parts))
    try {
      purged[part] = await purge();
    } catch (error) {
      failure ??= error;
      log.error("part of the purge failed", { part, error: error as Error });
    }
  log.info("expired rows purged", purged);
  if (failure) throw failure;
  return purged;
});
