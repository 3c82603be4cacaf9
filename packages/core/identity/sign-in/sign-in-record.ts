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

export type Arriving = {
  user: { id: string; name: string };
  device: Device.Presented;
  origin: RequestOrigin;
  place: Location;
  method: LoginHistory.Method;
  /** Absent where no sign-in can be suspicious: the first one of a new account. */
  publish?: typeof publishSuspicious | undefined;
};

/** What became of a login: the device it was on, and the letters to send once the rows have committed. */
export type Arrived = { deviceId: string; deviceToken: string; letters: Mail.Email[] };

/** What each signal says to the person who reads about it. */
const words: Record<Suspicion.Reason, string> = {
  new_country: "you have not logged in from this country before",
  new_device: "you have not used this device before",
  impossible_travel: "nobody can have travelled from your last login to this one in the time between",
  after_failures: `at least ${Suspicion.manyFailures} tries had failed before`,
  first_in_90_days: `you had not logged in for ${Suspicion.longAwayDays} days`,
};

/**
 * Everything that a login leaves behind but the session: the device, a line of the history, and, where it looks like
 * somebody else's, one `security.suspicious_login` in each ENTERPRISE workspace of the person, or in none's name.
 */
export async function arrive(tx: Tx, arriving: Arriving, now: Date): Promise<Arrived> {
  const { user, origin, place, method } = arriving;
  const settings = await tx
    .selectFrom("users")
    .select(["email", "login_notifications"])
    .where("id", "=", user.id)
    .executeTakeFirstOrThrow();
  const past = await LoginHistory.past(tx, user.id, now);
  const sight = { userAgent: origin.userAgent, country: place.country };
  const device = await Device.see(tx, user.id, arriving.device, sight, now);
  const verdict = Suspicion.judge({ ...past, at: now, place, newDevice: device.isNew });
  const login = { userId: user.id, origin, place, device: device.name, method, verdict };
  await LoginHistory.succeeded(tx, login, now);
  if (verdict.suspicious) await arriving.publish?.(tx, arriving, device, verdict, now);
  const facts = { at: now, ip: origin.ip, place, device: device.name };
  const letters = [
    ...(device.isNew && settings.login_notifications !== false
      ? [newDeviceLetter(settings.email, facts)]
      : []),
    ...(verdict.suspicious ? [suspiciousLetter(settings.email, facts, verdict)] : []),
  ];
  return { deviceId: device.id, deviceToken: device.token, letters };
}

/** Send them. A login must not fail because a mail could not be sent. */
export async function send(letters: readonly Mail.Email[], { requestId }: RequestOrigin): Promise<void> {
  for (const letter of letters)
    await Mail.send(letter).catch((error: Error) =>
      log.error("mail not sent", { requestId, subject: letter.subject, error }),
    );
}

/** Publishes `security.suspicious_login` in each ENTERPRISE workspace of the user; in none, the event is only recorded. */
async function publishSuspicious(
  tx: Tx,
  { user, origin, place }: Arriving,
  device: Device.Device,
  { reasons, score }: Suspicion.Verdict,
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
  const country = place.country || null;
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

/** What a sign-in does besides its rows: it publishes its event and, after the commit, sends its emails. */
export const alerts = { publish: publishSuspicious, send };

type Facts = { at: Date; ip: string; place: Location; device: string };

function newDeviceLetter(to: string, facts: Facts): Mail.Email {
  return Email.compose({
    to,
    subject: "New device: somebody logged in to your account",
    paragraphs: [
      "Somebody, probably you, logged in to your account on a device that you have not used before.",
      ...described(facts),
      "If it was you, there is nothing to do. If not, remove the device, which ends its sessions, and change your password.",
      "You can switch these mails off in your security settings.",
    ],
    link: { label: "Look at my devices", url: `${Config.appUrl()}/settings/security` },
  });
}

function suspiciousLetter(to: string, facts: Facts, { reasons }: Suspicion.Verdict): Mail.Email {
  return Email.compose({
    to,
    subject: "Suspicious login to your account",
    paragraphs: [
      `Somebody logged in to your account, and it may not have been you: ${reasons.map((reason) => words[reason]).join("; ")}.`,
      ...described(facts),
      "If it was you, there is nothing to do. If not, change your password now, which ends all other sessions, and turn on the second factor.",
    ],
    link: { label: "Secure my account", url: `${Config.appUrl()}/settings/security` },
  });
}

function described({ at, ip, place, device }: Facts): string[] {
  return circumstances(at, ip, device, locationLabel(place));
}
