import * as Clock from "../base/clock.ts";
import * as Config from "../platform/config/config.ts";
import { db } from "../platform/db/engine.ts";
import { log } from "../platform/log/log.ts";
import * as Email from "../platform/mail/email.ts";
import * as Mail from "../platform/mail/mail.ts";
import { failuresUntilDisabled } from "./endpoint.ts";

/** A notice whose sender died is sent again after this long. */
const leaseSeconds = 300;

/**
 * Mail the admins of every endpoint that was disabled and that they have not been told of. Answers how many endpoints. At
 * least once: a crash between two mails sends the first one again.
 */
export async function sendNotices(now: Date = Clock.now()): Promise<number> {
  const due = await db()
    .updateTable("webhook_endpoints")
    .set({ notice_due_at: new Date(now.getTime() + leaseSeconds * 1000) })
    .where("notice_due_at", "<=", now)
    .returning(["id", "url", "workspace_id", "disabled_reason"])
    .execute();
  for (const endpoint of due)
    try {
      for (const to of await admins(endpoint.workspace_id))
        await Mail.send(letter(to, endpoint.url, endpoint.disabled_reason));
      await db()
        .updateTable("webhook_endpoints")
        .set({ notice_due_at: null })
        .where("id", "=", endpoint.id)
        .execute();
    } catch (error) {
      log.warn("admins not told of a disabled webhook", { webhookId: endpoint.id, error: error as Error });
    }
  return due.length;
}

async function admins(workspaceId: string): Promise<string[]> {
  const rows = await db()
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select("users.email")
    .where("memberships.workspace_id", "=", workspaceId)
    .where("memberships.status", "=", "active")
    .where("memberships.role", "in", ["admin", "owner"])
    .orderBy("users.id")
    .execute();
  return rows.map(({ email }) => email);
}

function letter(to: string, url: string, reason: string | null): Mail.Email {
  const { host } = new URL(url);
  const why =
    reason === "gone"
      ? "It answered 410 (Gone), which means that it wants no more."
      : `Its last ${failuresUntilDisabled} deliveries all failed, each after several attempts.`;
  return Email.compose({
    to,
    subject: `Your webhook at ${host} was disabled`,
    paragraphs: [
      `Nothing is sent to the webhook ${url} any more. ${why}`,
      "Look into its deliveries for what went wrong. Once it is repaired, enable it again; “recover” then sends everything that it missed.",
    ],
    link: { label: "Open the web client", url: Config.appUrl() },
  });
}
