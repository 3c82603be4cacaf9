import type { RequestOrigin } from "../../base/actor.ts";
import * as Config from "../../platform/config/config.ts";
import { db } from "../../platform/db/engine.ts";
import { log } from "../../platform/log/log.ts";
import * as Email from "../../platform/mail/email.ts";
import * as Mail from "../../platform/mail/mail.ts";

/** What happened to an account, in the words of the mail about it. */
export type Notice = { subject: string; what: string };

/** Whose account it is, and from where it was done; a session tells the name of the device. */
type By = RequestOrigin & { userId: string; sessionId?: string };

/**
 * Tell a person by mail what was done to their account, when, where, on which device, and what to do if it was not they.
 * What was done is done: a mail that cannot be sent is logged and fails nothing.
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

/** The letter itself. */
export function compose({
  email,
  name,
  subject,
  what,
  at,
  ip,
  device,
}: Notice & { email: string; name: string; at: Date; ip: string; device: string }) {
  return Email.compose({
    to: email,
    subject,
    paragraphs: [
      `Hello ${name},`,
      what,
      ...circumstances(at, ip, device),
      "If it was you, there is nothing to do. If it was not, set a new password at once, which ends all other sessions, and look through your devices and second factors.",
    ],
    link: { label: "Look at the security of my account", url: `${Config.appUrl()}/settings/security` },
  });
}

/** When, where and on which device, as every mail about an account's security says it; `place` where it is known. */
export function circumstances(at: Date, ip: string, device: string, place = ""): string[] {
  return [
    `When: ${at.toISOString().slice(0, 16).replace("T", " ")} UTC`,
    `Where: IP address ${ip}${place && `, ${place}`}`,
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
