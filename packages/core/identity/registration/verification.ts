import { type Selectable, sql } from "kysely";
import * as z from "zod/mini";
import type { RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Timezone } from "../../base/day.ts";
import * as EmailAddress from "../../base/email-address.ts";
import { Fault } from "../../base/fault.ts";
import { newId } from "../../base/id.ts";
import * as Event from "../../event/event.ts";
import { hashSecret } from "../../platform/crypto/secret.ts";
import { deleteInBatches } from "../../platform/db/delete-in-batches.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import type { Registrations } from "../../platform/db/schema.ts";
import { transaction, violates } from "../../platform/db/transaction.ts";
import * as Workspace from "../../workspace/workspace.ts";
import * as Password from "../password/hash.ts";
import * as LockOut from "../password/lock-out.ts";
import { maxLength } from "../password/password-policy.ts";
import { Locale } from "../profile/profile.ts";
import { dateFormatOf, weekStartOf } from "../profile/region.ts";
import { type Authenticated, type LoggedIn, startSession } from "../sign-in/login.ts";

export const Verify = z.object({
  token: z.string().check(z.minLength(1), z.maxLength(100)),
  password: z.string().check(z.minLength(1), z.maxLength(maxLength)),
  locale: z.optional(Locale),
  timezone: z.optional(Timezone),
});
export type Verify = z.infer<typeof Verify>;

/** Number of pending registrations of one email whose passwords are compared, newest first. Each costs a password hash. */
const comparedRegistrations = 20;

/**
 * Creates an account with a FREE workspace and its first team, and signs the user in. The link proves the email, and the
 * password selects the registration: anyone can register someone else's email, so the link that was opened may belong to a
 * stranger's registration. Wrong passwords are counted like those of a sign-in. The locale and the
 * time zone of the browser become those of the account and its workspace. Throws `expired` `link_expired` for an unknown
 * or used link, or one older than a day, `unauthenticated` `invalid_credentials` if no pending registration of the email has
 * this password, and `busy` `account_temporarily_locked`.
 */
export async function verify(
  { token, password, ...region }: Verify,
  origin: RequestOrigin,
  now: Date = Clock.now(),
): Promise<LoggedIn> {
  const opened = await findByToken(token, now);
  const emailKey = EmailAddress.key(opened.email);
  // Counted apart from sign-ins with this email, so that strangers cannot lock out the owner of the link.
  const subject = LockOut.subject(emailKey, "verification");
  let registration = undefined as Registration | undefined;
  const check = async () => {
    registration = await findByPassword(opened, password, now);
    return registration ? "success" : "failure";
  };
  await LockOut.attempt(subject, check, now);
  if (!registration)
    throw new Fault(
      "unauthenticated",
      "invalid_credentials",
      "Incorrect password. Enter the password that you chose when you registered.",
    );
  const confirmed = registration;
  const user = await transaction((tx) => createAccount(tx, token, confirmed, region, origin, now)).catch(
    (error: unknown) => {
      throw violates(error, "users_email_key") ? linkExpired() : error;
    },
  );
  // No new-device email: the user has just opened the verification email on this device.
  return startSession(user, { name: undefined }, origin, now, { method: "email_link" });
}

type Registration = Selectable<Registrations>;

type Region = Pick<Verify, "locale" | "timezone">;

/** Loads the registration that a link was sent for. Throws `expired` `link_expired`. */
async function findByToken(token: string, now: Date): Promise<Registration> {
  const registration = await db()
    .selectFrom("registrations")
    .selectAll()
    .where("token_hash", "=", hashSecret(token))
    .where("expires_at", ">", now)
    .executeTakeFirst();
  if (!registration) throw linkExpired();
  return registration;
}

/** Finds a pending registration of the same email with this password, and compares with the one of the link first. */
async function findByPassword(
  opened: Registration,
  password: string,
  now: Date,
): Promise<Registration | undefined> {
  const others = await db()
    .selectFrom("registrations")
    .selectAll()
    .where("email_key", "=", EmailAddress.key(opened.email))
    .where("token_hash", "<>", opened.token_hash)
    .where("expires_at", ">", now)
    .orderBy("created_at", "desc")
    .limit(comparedRegistrations)
    .execute();
  for (const registration of [opened, ...others])
    if (await Password.matches(password, registration.password_hash)) return registration;
  return undefined;
}

/** Creates the account of a registration and deletes all pending ones of its email. */
async function createAccount(
  tx: Tx,
  token: string,
  { email, name, password_hash, workspace_name }: Registration,
  { locale, timezone }: Region,
  origin: RequestOrigin,
  now: Date,
): Promise<Authenticated> {
  const opened = await tx
    .deleteFrom("registrations")
    .where("token_hash", "=", hashSecret(token))
    .where("expires_at", ">", now)
    .returning("token_hash")
    .executeTakeFirst();
  if (!opened) throw linkExpired();
  await tx.deleteFrom("registrations").where("email_key", "=", EmailAddress.key(email)).execute();
  const id = newId("usr", now);
  await tx
    .insertInto("users")
    .values({
      id,
      email,
      email_key: EmailAddress.key(email),
      password_hash,
      name,
      email_verified_at: now,
      ...(locale !== undefined && { locale, date_format: dateFormatOf(locale) }),
      ...(timezone !== undefined && { timezone }),
      created_at: now,
      updated_at: now,
    })
    .execute();
  const by = { ...origin, userId: id };
  const target = { type: "user", id, name } as const;
  await Event.record(tx, by, { action: "user.registered", target }, now);
  await Workspace.createInTransaction(tx, by, id, workspace_name, now, {
    ...(timezone !== undefined && { timezone }),
    ...(locale !== undefined && { week_start: weekStartOf(locale) }),
  });
  return { id, name, password_hash };
}

/** Deletes expired registrations. Returns the number of deleted rows. */
export function purge(now: Date = Clock.now()): Promise<number> {
  return deleteInBatches("registrations", ["token_hash"], sql`expires_at < ${now}`);
}

function linkExpired(): Fault {
  return new Fault(
    "expired",
    "link_expired",
    "This link has expired or was already used. Register again, or sign in if you have an account.",
  );
}
