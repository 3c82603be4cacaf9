import * as Clock from "../base/clock.ts";
import * as Config from "../platform/config/config.ts";
import { db } from "../platform/db/engine.ts";
import { log } from "../platform/log/log.ts";
import * as Email from "../platform/mail/email.ts";
import * as Mail from "../platform/mail/mail.ts";
import { failuresUntilDisabled } from "./endpoint.ts";

/** Time after which a notice is sent again if the process that sent it died. */
const leaseSeconds = 300;

/**
 * Emails the admins about every endpoint that the system disabled since the last call. Returns the number of endpoints. Sends
 * at least once: after a crash between two emails, the first is sent again.
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
        await Mail.send(disabledEmail(to, endpoint.url, endpoint.disabled_reason));
      await db()
        .updateTable("webhook_endpoints")
        .set({ notice_due_at: null })
        .where("id", "=", endpoint.id)
        .execute();
    } catch (error) {
      log.warn("notice of a disabled webhook not sent", { webhookId: endpoint.id, error: error as Error });
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

function disabledEmail(to: string, url: string, reason: string | null): Mail.Email {
  const { host } = new URL(url);
  const reasonText =
    reason === "gone"
      ? "It returned 410 (Gone), which asks us to stop sending."
      : `Its last ${failuresUntilDisabled} deliveries failed, each after several attempts.`;
  return Email.compose({
    to,
    subject: `Your webhook at ${host} was disabled`,
    paragraphs: [
      `We disabled the webhook ${url} and no longer send events to it. ${reasonText}`,
      "Its delivery log shows what went wrong. Once the endpoint works again, enable the webhook again and recover the events it missed.",
    ],
    link: { label: "Open the web client", url: Config.appUrl() },
  });
}
