import type { RequestOrigin } from "../../base/actor.ts";
import type { Location } from "../../base/location.ts";
import * as Event from "../../event/event.ts";
import * as Config from "../../platform/config/config.ts";
import type { Tx } from "../../platform/db/engine.ts";
import { locationLabel } from "../../platform/location/label.ts";
import { log } from "../../platform/log/log.ts";
import * as Email from "../../platform/mail/email.ts";
import * as Mail from "../../platform/mail/mail.ts";
import * as Device from "../devices/device.ts";
import { circumstances } from "../notices/notice.ts";
import * as LoginHistory from "./login-history.ts";
import * as Suspicion from "./suspicion.ts";

export type SignIn = {
  user: { id: string; name: string };
  device: Device.Presented;
  origin: RequestOrigin;
  location: Location;
  method: LoginHistory.Method;
};

/** The device of a recorded sign-in, and the emails to send once the transaction has committed. */
export type SignInRecord = { deviceId: string; deviceToken: string; emails: Mail.Email[] };

/** The explanation of each reason in the email about a suspicious sign-in. */
const explanations: Record<Suspicion.Reason, string> = {
  new_country: "you have not signed in from this country before",
  new_device: "you have not used this device before",
  impossible_travel: "it is too far from the location of your last sign-in for the time in between",
  after_failures: `it followed at least ${Suspicion.manyFailures} failed attempts`,
  first_in_90_days: `you had not signed in for ${Suspicion.longAwayDays} days`,
};

/**
 * Records everything about a sign-in except the session: the device, an entry of the login history and, if the sign-in is
 * suspicious, an event. Omit `publish` for the first sign-in of an account, which is never suspicious.
 */
export async function record(
  tx: Tx,
  signIn: SignIn,
  now: Date,
  publish?: typeof publishSuspicion,
): Promise<SignInRecord> {
  const { user, origin, location, method } = signIn;
  const settings = await tx
    .selectFrom("users")
    .select(["email", "login_notifications"])
    .where("id", "=", user.id)
    .executeTakeFirstOrThrow();
  const past = await LoginHistory.past(tx, user.id, now);
  const traits = { userAgent: origin.userAgent, country: location.country };
  const device = await Device.recordUse(tx, user.id, signIn.device, traits, now);
  const classification = Suspicion.classify({ ...past, at: now, location, newDevice: device.isNew });
  const login = { userId: user.id, origin, location, device: device.name, method, classification };
  await LoginHistory.recordSuccess(tx, login, now);
  if (classification.suspicious) await publish?.(tx, signIn, device, classification, now);
  const details = circumstances(now, origin, locationLabel(location));
  const emails = [
    ...(device.isNew && settings.login_notifications !== false
      ? [newDeviceEmail(settings.email, details)]
      : []),
    ...(classification.suspicious ? [suspiciousEmail(settings.email, details, classification)] : []),
  ];
  return { deviceId: device.id, deviceToken: device.token, emails };
}

/** Sends emails about a sign-in. Failures are logged and do not fail the sign-in. */
async function sendEmails(emails: readonly Mail.Email[], { requestId }: RequestOrigin): Promise<void> {
  for (const email of emails)
    await Mail.send(email).catch((error: Error) =>
      log.error("email not sent", { requestId, subject: email.subject, error }),
    );
}

/** Publishes `security.suspicious_login` in each of the user's ENTERPRISE workspaces. Without any, it is only recorded. */
async function publishSuspicion(
  tx: Tx,
  { user, origin, location }: SignIn,
  device: Device.Device,
  { reasons, score }: Suspicion.Classification,
  now: Date,
): Promise<void> {
  const workspaces = await tx
    .selectFrom("memberships")
    .innerJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .select("workspaces.id")
    .where("memberships.user_id", "=", user.id)
    .where("memberships.status", "=", "active")
    .where("workspaces.plan", "=", "ENTERPRISE")
    .execute();
  const country = location.country || null;
  const recorded = {
    action: "security.suspicious_login",
    target: { type: "user", ...user },
    changes: Object.fromEntries(
      Object.entries({ reasons, score, country, device: device.name }).map(([name, after]) => [
        name,
        { before: null, after },
      ]),
    ),
    data: { userId: user.id, at: now.toISOString(), ip: origin.ip, country, reasons },
  } as const;
  const by = { ...origin, userId: user.id };
  for (const { id } of workspaces) await Event.publish(tx, by, { ...recorded, workspaceId: id }, now);
  if (workspaces.length === 0) await Event.publish(tx, by, { ...recorded, workspaceId: null }, now);
}

/** The side effects of a sign-in: its event, and the emails to send after the transaction has committed. */
export const alerts = { publish: publishSuspicion, sendEmails };

function newDeviceEmail(to: string, details: string[]): Mail.Email {
  return Email.compose({
    to,
    subject: "New device signed in to your account",
    paragraphs: [
      "We noticed a sign-in to your account on a device that you have not used before.",
      ...details,
      "If this was you, you don't need to do anything. If it wasn't, remove the device, which ends its sessions, and change your password.",
      "You can turn these emails off in your security settings.",
    ],
    link: { label: "Review devices", url: `${Config.appUrl()}/settings/security` },
  });
}

function suspiciousEmail(to: string, details: string[], { reasons }: Suspicion.Classification): Mail.Email {
  return Email.compose({
    to,
    subject: "Suspicious sign-in to your account",
    paragraphs: [
      `We noticed an unusual sign-in to your account: ${reasons.map((reason) => explanations[reason]).join("; ")}.`,
      ...details,
      "If this was you, you don't need to do anything. If it wasn't, change your password now, which signs out all other sessions, and turn on two-factor authentication.",
    ],
    link: { label: "Review account security", url: `${Config.appUrl()}/settings/security` },
  });
}
