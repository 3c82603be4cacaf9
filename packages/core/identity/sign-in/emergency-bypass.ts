import * as z from "zod/mini";
import type { RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import * as EmailAddress from "../../base/email-address.ts";
import { Fault } from "../../base/fault.ts";
import { singleLine } from "../../base/text.ts";
import * as Event from "../../event/event.ts";
import * as Config from "../../platform/config/config.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import * as Location from "../../platform/location/location.ts";
import * as Email from "../../platform/mail/email.ts";
import * as SecondFactor from "../factors/second-factor.ts";
import * as Password from "../password/hash.ts";
import * as LockOut from "../password/lock-out.ts";
import { maxLength } from "../password/password-policy.ts";
import { enter, type LoggedIn } from "./login.ts";
import * as LoginHistory from "./login-history.ts";
import * as Arrival from "./sign-in-record.ts";

/** How long an emergency session passes the lists. */
export const bypassMinutes = 60;

export const Bypass = z.extend(SecondFactor.CodeProof, {
  email: EmailAddress.Email,
  password: z.string().check(z.minLength(1), z.maxLength(maxLength)),
  /** For the other admins, who read it in their mail, and for the audit log. */
  reason: singleLine(10, 500),
});
export type Bypass = z.infer<typeof Bypass>;

/**
 * Let an admin in whom an address list keeps out: with the password, a second factor and a reason, for an hour. Every admin
 * of the workspaces concerned is told. Throws 401 `invalid_credentials` alike for an unknown address, a wrong password, a
 * wrong code and a person without a factor, 403 `bypass_not_available` for those who are admin of no workspace with a
 * list, and 429 `account_temporarily_locked`: failures are counted together with those of the login.
 */
export async function bypass(
  input: Bypass,
  origin: RequestOrigin,
  now: Date = Clock.now(),
): Promise<LoggedIn> {
  const emailKey = EmailAddress.key(input.email);
  const user = await db()
    .selectFrom("users")
    .select(["id", "name", "password_hash"])
    .where("email_key", "=", emailKey)
    .executeTakeFirst();
  const subject = LockOut.subject(emailKey);
  await LockOut.attempt(subject, now);
  const matches = await Password.matches(input.password, user?.password_hash ?? Password.unmatchable());
  const proved =
    user !== undefined && matches && (await SecondFactor.check({ ...origin, userId: user.id }, input, now));
  if (!proved) {
    await LoginHistory.failed(user?.id, origin, await Location.locate(origin), "emergency_bypass", now);
    throw new Fault(
      "unauthenticated",
      "invalid_credentials",
      "The address, the password or the code is not right.",
    );
  }
  await LockOut.succeeded(subject);
  const workspaces = await listed(user.id);
  if (workspaces.length === 0)
    throw new Fault(
      "forbidden",
      "bypass_not_available",
      "This is for admins of a workspace whose address list is on.",
    );
  const bypassUntil = new Date(now.getTime() + bypassMinutes * 60_000);
  const also = async (tx: Tx) => {
    for (const { id, name } of workspaces)
      await Event.record(
        tx,
        { ...origin, userId: user.id },
        {
          action: "security.emergency_bypass",
          target: { type: "workspace", id, name },
          workspaceId: id,
          changes: {
            reason: { before: null, after: input.reason },
            until: { before: null, after: bypassUntil.toISOString() },
          },
        },
        now,
      );
  };
  const entered = await enter(user, { name: undefined }, origin, now, {
    method: "emergency_bypass",
    bypassUntil,
    also,
    alerts: Arrival.alerts,
  });
  const letters = [];
  for (const workspace of workspaces)
    for (const email of await adminsOf(workspace.id))
      letters.push(letter(email, workspace.name, user.name, input.reason, origin, now));
  await Arrival.send(letters, origin);
  return entered;
}

/** Workspaces whose list is on, and where this person may bypass it. */
async function listed(userId: string): Promise<{ id: string; name: string }[]> {
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

async function adminsOf(workspaceId: string): Promise<string[]> {
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

function letter(
  to: string,
  workspace: string,
  who: string,
  reason: string,
  origin: RequestOrigin,
  now: Date,
) {
  return Email.compose({
    to,
    subject: `Emergency bypass of the address list of ${workspace}`,
    paragraphs: [
      `${who} logged in past the address list of the workspace ${workspace}. For ${bypassMinutes} minutes this session passes the list.`,
      `Reason given: ${reason}`,
      `When: ${now.toISOString().replace("T", " ").slice(0, 16)} UTC`,
      `From: ${origin.ip}, ${origin.userAgent || "an unknown client"}`,
      "If you do not know of this, suspend the person in the workspace and have them change their password.",
    ],
    link: { label: "Look at the audit log", url: `${Config.appUrl()}/audit-log` },
  });
}
