import * as z from "zod/mini";
import type { RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import * as EmailAddress from "../../base/email-address.ts";
import { Fault } from "../../base/fault.ts";
import { singleLine } from "../../base/text.ts";
import * as Event from "../../event/event.ts";
import * as Config from "../../platform/config/config.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import * as Email from "../../platform/mail/email.ts";
import * as Device from "../devices/device.ts";
import * as SecondFactor from "../factors/second-factor.ts";
import { circumstances } from "../notices/notice.ts";
import * as Password from "../password/hash.ts";
import * as LockOut from "../password/lock-out.ts";
import { maxLength } from "../password/password-policy.ts";
import * as FailedSignIn from "./failed-sign-in.ts";
import { type Authenticated, type LoggedIn, startSession } from "./login.ts";
import * as PasskeyLogin from "./passkey-login.ts";
import * as SignInRecord from "./sign-in-record.ts";

/** How long an emergency session bypasses IP allowlists. */
export const bypassMinutes = 60;

/** Shown to the other admins by email and in the audit log. */
const reason = singleLine(10, 500);

const TypedProof = z.extend(SecondFactor.CodeProof, {
  email: EmailAddress.Email,
  password: z.string().check(z.minLength(1), z.maxLength(maxLength)),
  /** Device token of the last sign-in on this device, which identifies it. */
  deviceToken: z.optional(z.string().check(z.maxLength(100))),
  reason,
});

export const Bypass = z.discriminatedUnion("method", [
  TypedProof,
  z.extend(PasskeyLogin.SignIn, { method: z.literal("passkey"), reason }),
]);
export type Bypass = z.infer<typeof Bypass>;

/**
 * Signs in an admin whose IP address is blocked by an IP allowlist, with a reason, and with password and second factor or a
 * passkey. The session bypasses the allowlists of the workspaces they administer for an hour; all admins of these are notified
 * by email. Throws `unauthenticated` `invalid_credentials` alike for an unknown email, a wrong password, a wrong code, a user
 * without a second factor and a wrong passkey, `forbidden` `bypass_not_available` for a user who administers no workspace with
 * an enabled allowlist, and `busy` `account_temporarily_locked`. Failures, except those of passkeys, are counted together with
 * those of `login`, and like there apart for each known device, so that others cannot lock an admin out of the bypass on their
 * own device.
 */
export async function bypass(
  input: Bypass,
  origin: RequestOrigin,
  now: Date = Clock.now(),
): Promise<LoggedIn> {
  const { user, device } =
    input.method === "passkey"
      ? await PasskeyLogin.authenticate(input, origin, now)
      : await authenticate(input, origin, now);
  const workspaces = await restrictedWorkspaces(user.id);
  if (workspaces.length === 0) {
    const code = "bypass_not_available";
    await FailedSignIn.recordRefusal(user, origin, code, now);
    throw new Fault(
      "forbidden",
      code,
      "The emergency bypass is only for admins of a workspace with an enabled IP allowlist.",
    );
  }
  const bypassUntil = new Date(now.getTime() + bypassMinutes * 60_000);
  const by = { ...origin, userId: user.id };
  const loggedIn = await startSession(user, device, origin, now, {
    method: "emergency_bypass",
    bypassUntil,
    alsoInTransaction: (tx) => recordBypass(tx, by, workspaces, input.reason, bypassUntil, now),
    alerts: SignInRecord.alerts,
  });
  await notifyAdmins(workspaces, user.name, input.reason, origin, now);
  return loggedIn;
}

/** Verifies password and second factor, and recognizes the device. Throws `unauthenticated` `invalid_credentials`. */
async function authenticate(
  input: z.infer<typeof TypedProof>,
  origin: RequestOrigin,
  now: Date,
): Promise<{ user: Authenticated; device: Device.Presented }> {
  const emailKey = EmailAddress.key(input.email);
  const user = await db()
    .selectFrom("users")
    .select(["id", "name", "password_hash"])
    .where("email_key", "=", emailKey)
    .executeTakeFirst();
  const known = await Device.findByToken(user?.id ?? "", input.deviceToken);
  const check = async (): Promise<LockOut.Outcome> => {
    const matches = await Password.matches(input.password, user?.password_hash ?? Password.unmatchable());
    const valid = user && matches && (await SecondFactor.consume({ ...origin, userId: user.id }, input, now));
    return valid ? "success" : "failure";
  };
  const subject = LockOut.subject(emailKey, known?.id);
  const outcome = await FailedSignIn.attempt(subject, check, user, origin, now);
  if (!user || outcome === "failure") {
    await FailedSignIn.record(user, origin, "emergency_bypass", now);
    throw new Fault("unauthenticated", "invalid_credentials", "Incorrect email, password or code.");
  }
  const device = known && input.deviceToken ? { known, token: input.deviceToken } : { name: undefined };
  return { user, device };
}

type WorkspaceName = { id: string; name: string };

/** Lists the workspaces with an enabled IP allowlist that the user may bypass. */
async function restrictedWorkspaces(userId: string): Promise<WorkspaceName[]> {
  return db()
    .selectFrom("memberships")
    .innerJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .innerJoin("ip_allowlists", "ip_allowlists.workspace_id", "workspaces.id")
    .select(["workspaces.id", "workspaces.name"])
    .where("memberships.user_id", "=", userId)
    .where("memberships.status", "=", "active")
    .where("memberships.role", "in", ["admin", "owner"])
    .where("workspaces.plan", "=", "ENTERPRISE")
    .where("ip_allowlists.enabled", "=", true)
    .execute();
}

async function recordBypass(
  tx: Tx,
  by: RequestOrigin & { userId: string },
  workspaces: readonly WorkspaceName[],
  reason: string,
  until: Date,
  now: Date,
): Promise<void> {
  const changes = {
    reason: { before: null, after: reason },
    until: { before: null, after: until.toISOString() },
  };
  for (const { id, name } of workspaces) {
    const target = { type: "workspace", id, name } as const;
    const recorded = { action: "security.emergency_bypass", target, workspaceId: id, changes } as const;
    await Event.record(tx, by, recorded, now);
  }
}

async function notifyAdmins(
  workspaces: readonly WorkspaceName[],
  userName: string,
  reason: string,
  origin: RequestOrigin,
  now: Date,
): Promise<void> {
  const emails = [];
  for (const workspace of workspaces)
    for (const to of await adminEmails(workspace.id))
      emails.push(bypassEmail(to, workspace.name, userName, reason, origin, now));
  await SignInRecord.alerts.sendEmails(emails, origin);
}

async function adminEmails(workspaceId: string): Promise<string[]> {
  const rows = await db()
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select("users.email")
    .where("memberships.workspace_id", "=", workspaceId)
    .where("memberships.role", "in", ["admin", "owner"])
    .where("memberships.status", "=", "active")
    .execute();
  return rows.map(({ email }) => email);
}

function bypassEmail(
  to: string,
  workspace: string,
  userName: string,
  reason: string,
  origin: RequestOrigin,
  now: Date,
) {
  return Email.compose({
    to,
    subject: `Emergency bypass of the IP allowlist of ${workspace}`,
    paragraphs: [
      `${userName} signed in with the emergency bypass. For ${bypassMinutes} minutes, this session bypasses the IP allowlist of the workspace ${workspace}.`,
      `Reason: ${reason}`,
      ...circumstances(now, origin),
      "If you did not expect this, suspend this member and ask them to change their password.",
    ],
    link: { label: "View audit log", url: `${Config.appUrl()}/audit-log` },
  });
}
