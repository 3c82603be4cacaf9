import type { RequestOrigin } from "../../base/actor.ts";
import * as Config from "../../platform/config/config.ts";
import { db } from "../../platform/db/engine.ts";
import { log } from "../../platform/log/log.ts";
import * as Email from "../../platform/mail/email.ts";
import * as Mail from "../../platform/mail/mail.ts";

/** An email about a change to an account: its subject and the sentences that describe the change. */
export type Notice = { subject: string; text: string };

/** The owner of the account and the origin of the call. The session, if there is one, determines the device name. */
type By = RequestOrigin & { userId: string; sessionId?: string };

/**
 * Notifies a user by email about a change to their account, with its time, IP address and device. Call it after the change
 * has committed: a failure to send is logged and not thrown.
 */
export async function send(by: By, notice: Notice, at: Date): Promise<void> {
  try {
    const [user, device] = await Promise.all([
      db().selectFrom("users").select(["email", "name"]).where("id", "=", by.userId).executeTakeFirst(),
      deviceName(by.sessionId),
    ]);
    if (!user) return;
    await Mail.send(compose({ ...user, ...notice, at, ip: by.ip, device: device ?? by.userAgent }));
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
  ip,
  device,
}: Notice & { email: string; name: string; at: Date; ip: string; device: string }) {
  return Email.compose({
    to: email,
    subject,
    paragraphs: [
      `Hello ${name},`,
      text,
      ...circumstances(at, ip, device),
      "If this was you, you don't need to do anything. If it wasn't, reset your password now: this signs out all other sessions. Then review your devices and two-factor methods.",
    ],
    link: { label: "Review account security", url: `${Config.appUrl()}/settings/security` },
  });
}

/** Lines for an email that say when, where and on which device something happened. `location` is a place name, if known. */
export function circumstances(at: Date, ip: string, device: string, location = ""): string[] {
  return [
    `When: ${at.toISOString().slice(0, 16).replace("T", " ")} UTC`,
    `Where: IP address ${ip}${location && `, ${location}`}`,
    `Device: ${device || "unknown"}`,
  ];
}

async function deviceName(sessionId: string | undefined): Promise<string | undefined> {
  if (!sessionId) return undefined;
  const device = await db()
    .selectFrom("sessions")
    .innerJoin("devices", "devices.id", "sessions.device_id")
    .select("devices.name")
    .where("sessions.id", "=", sessionId)
    .executeTakeFirst();
  return device?.name;
}
