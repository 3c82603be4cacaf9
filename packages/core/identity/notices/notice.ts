import type { RequestOrigin } from "../../base/actor.ts";
import * as Config from "../../platform/config/config.ts";
import { db } from "../../platform/db/engine.ts";
import { log } from "../../platform/log/log.ts";
import * as Email from "../../platform/mail/email.ts";
import * as Mail from "../../platform/mail/mail.ts";
import * as UserAgent from "../devices/user-agent.ts";

/** An email about a change to an account: its subject and the sentences that describe the change. */
export type Notice = { subject: string; text: string };

/** The owner of the account and the origin of the call. */
type By = RequestOrigin & { userId: string };

/**
 * Notifies a user by email about a change to their account, with its time, IP address and device. Call it after the change
 * has committed: a failure to send is logged and not thrown.
 */
export async function send(by: By, notice: Notice, at: Date): Promise<void> {
  try {
    const user = await db()
      .selectFrom("users")
      .select(["email", "name"])
      .where("id", "=", by.userId)
      .executeTakeFirst();
    if (user) await Mail.send(compose({ ...user, ...notice, at, origin: by }));
  } catch (error) {
    log.warn("notice not sent", { requestId: by.requestId, error: error as Error });
  }
}

/** Composes the email. */
export function compose({
  email,
  name,
  subject,
  text,
  at,
  origin,
}: Notice & { email: string; name: string; at: Date; origin: RequestOrigin }) {
  return Email.compose({
    to: email,
    subject,
    paragraphs: [
      `Hello ${name},`,
      text,
      ...circumstances(at, origin),
      "If this was you, you don't need to do anything. If it wasn't, reset your password now: this signs out all sessions and revokes your API tokens. Then review your devices and two-factor methods.",
    ],
    link: { label: "Review account security", url: `${Config.appUrl()}/settings/security` },
  });
}

/**
 * Lines for an email that say when, where and in which browser something happened. `location` is a place name, if known. The
 * name of the device is left out, because the person who signed in chose it.
 */
export function circumstances(at: Date, { ip, userAgent }: RequestOrigin, location = ""): string[] {
  return [
    `When: ${at.toISOString().slice(0, 16).replace("T", " ")} UTC`,
    `Where: IP address ${ip}${location && `, ${location}`}`,
    `Device: ${UserAgent.knownLabel(userAgent)}`,
  ];
}
