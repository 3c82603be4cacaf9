import { sql } from "kysely";
import * as z from "zod/mini";
import type { Actor, RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import * as EmailAddress from "../../base/email-address.ts";
import { Fault } from "../../base/fault.ts";
import { Instant } from "../../base/instant.ts";
import * as Event from "../../event/event.ts";
import { hashSecret, newSecret } from "../../platform/crypto/secret.ts";
import { deleteInBatches } from "../../platform/db/delete-in-batches.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import { transaction, violates } from "../../platform/db/transaction.ts";
import { changed } from "../../platform/db/version.ts";
import * as MailLimit from "../../platform/limit/mail-limit.ts";
import * as RateLimit from "../../platform/limit/rate-limit.ts";
import { log } from "../../platform/log/log.ts";
import * as Mail from "../../platform/mail/mail.ts";
import * as BackupCodes from "../factors/backup-codes.ts";
import { verifyCurrent } from "../password/current.ts";
import * as Password from "../password/hash.ts";
import { maxLength } from "../password/password-policy.ts";
import * as ResetLink from "../password/reset-link.ts";
import * as Session from "../sessions/session.ts";
import * as ApiToken from "../tokens/api-token.ts";
import * as Emails from "./emails.ts";

/**
 * Passkeys and second factors that were added this long before a change was requested are removed when it is undone, because
 * intruders add them first, and the owner may not have read the email about them yet.
 */
const preparationHours = 24;

export const Change = z.object({
  email: EmailAddress.Email,
  password: z.string().check(z.minLength(1), z.maxLength(maxLength)),
});
export type Change = z.infer<typeof Change>;

export const Link = z.object({ token: z.string().check(z.minLength(1), z.maxLength(100)) });
export type Link = z.infer<typeof Link>;

/** The token to choose a new password with. */
export const Undone = z.object({ resetToken: z.string(), expiresAt: Instant });
export type Undone = z.infer<typeof Undone>;

export const View = z.object({
  oldEmail: z.string(),
  newEmail: z.string(),
  requestedAt: Instant,
  confirmedAt: z.nullable(Instant),
});
export type View = z.infer<typeof View>;

/**
 * Requests another email for the caller's account. Sends the link for `confirm` to the new email, and the link for `undo` to
 * the current one. The caller cannot tell whether the new email belongs to an account: either way one row is written and one
 * email is sent to it. A new request voids the link for `confirm` of an earlier one. Throws `forbidden` `invalid_credentials`,
 * `busy` `account_temporarily_locked` or `rate_limited`, and `upstream` `mail_unavailable`.
 */
export async function request(
  actor: Actor,
  { email, password }: Change,
  report: RateLimit.Report = () => {},
  now: Date = Clock.now(),
): Promise<void> {
  // Loaded before the password is verified, so that the link depends on the password that was verified.
  const user = await db()
    .selectFrom("users")
    .select(["email", "name", "password_hash"])
    .where("id", "=", actor.userId)
    .executeTakeFirstOrThrow();
  await verifyCurrent(actor, password, now);
  await limitRequests(actor, report, now);
  const mailed = await MailLimit.permits("emailChange", email, now);
  const taken = await belongsToAnother(email, actor.userId);
  const [confirmToken, undoToken] = [newSecret(), newSecret()];
  await transaction(async (tx) => {
    await Session.requireOpen(tx, actor, now);
    await voidPending(tx, actor.userId, now);
    await tx
      .insertInto("email_changes")
      .values({
        // Written for a taken email too, so that both cases take the same time, but with a token that is never sent.
        token_hash: hashSecret(taken ? newSecret() : confirmToken),
        undo_hash: hashSecret(undoToken),
        user_id: actor.userId,
        old_email: user.email,
        new_email: email,
        password_fingerprint: Password.fingerprint(user.password_hash),
        created_at: now,
        expires_at: new Date(now.getTime() + Emails.linkHours * 3_600_000),
        undo_expires_at: undoExpiry(now),
      })
      .execute();
    const target = { type: "user", id: actor.userId, name: user.name } as const;
    const changes = { email: { before: user.email, after: email } };
    await Event.record(tx, actor, { action: "user.email_change_requested", target, changes }, now);
  });
  await sendNotice(
    Emails.undoLink({ ...user, newEmail: email, token: undoToken, origin: actor, now }),
    actor,
  );
  if (mailed) await Mail.send(taken ? Emails.taken(email) : Emails.confirmLink(email, confirmToken));
}

/**
 * Makes the new email of a request the one that its user signs in with, and voids their links to reset the password, which
 * were sent to the old one. Throws `expired` `link_expired` for a link that was used or is older than a day, and after the
 * password or the email of the account has changed; and `conflict` `email_taken` if the email belongs to another account by
 * now.
 */
export async function confirm(
  { token }: Link,
  origin: RequestOrigin,
  now: Date = Clock.now(),
): Promise<void> {
  await unlessTaken(transaction((tx) => apply(tx, token, origin, now)));
}

/**
 * Restores the email of an account to the one before the change that the link belongs to, even if the email has changed again
 * since. Treats that change and everything after it as the work of an intruder: ends all sessions, revokes all API tokens,
 * voids later changes, and invalidates the password. Also removes passkeys, second factors and devices that were added since,
 * or in the day before the request. Returns a token to choose a new password with. Throws `expired` `link_expired` for a link
 * that was used or is older than seven days, and `conflict` `email_taken` if the old email belongs to another account by now.
 */
export async function undo({ token }: Link, origin: RequestOrigin, now: Date = Clock.now()): Promise<Undone> {
  const resetToken = newSecret();
  const undone = await unlessTaken(transaction((tx) => revert(tx, token, resetToken, origin, now)));
  const { removedEmail, expiresAt } = undone;
  if (removedEmail) await sendNotice(Emails.undone(removedEmail, origin, now), origin);
  return { resetToken, expiresAt: expiresAt.toISOString() };
}

/** Lists a user's requested and confirmed changes of the last seven days, oldest first. */
export async function list(userId: string): Promise<View[]> {
  const rows = await db()
    .selectFrom("email_changes")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();
  return rows.map((row) => ({
    oldEmail: row.old_email,
    newEmail: row.new_email,
    requestedAt: row.created_at.toISOString(),
    confirmedAt: row.confirmed_at?.toISOString() ?? null,
  }));
}

/** Deletes changes that can no longer be undone. Returns the number of deleted rows. */
export function purge(now: Date = Clock.now()): Promise<number> {
  return deleteInBatches("email_changes", ["token_hash"], sql`undo_expires_at < ${now}`);
}

async function limitRequests({ userId }: Actor, report: RateLimit.Report, now: Date): Promise<void> {
  const quota = await RateLimit.consume("emailChange", userId, now);
  if (!quota) return;
  report("emailChange", quota);
  if (!quota.exceeded) return;
  throw new Fault(
    "busy",
    "rate_limited",
    `You have requested ${quota.limit} changes of your email. Wait before you request another one.`,
    { retryAfterSeconds: quota.resetSeconds },
  );
}

async function belongsToAnother(email: string, userId: string): Promise<boolean> {
  const other = await db()
    .selectFrom("users")
    .select("id")
    .where("email_key", "=", EmailAddress.key(email))
    .where("id", "<>", userId)
    .executeTakeFirst();
  return other !== undefined;
}

/** Voids the links for `confirm` of earlier requests. Their links for `undo` stay valid. */
async function voidPending(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx
    .updateTable("email_changes")
    .set({ expires_at: now })
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .execute();
}

async function apply(tx: Tx, token: string, origin: RequestOrigin, now: Date): Promise<void> {
  const change = await tx
    .updateTable("email_changes")
    .set({ confirmed_at: now, expires_at: now, undo_expires_at: undoExpiry(now) })
    .where("token_hash", "=", hashSecret(token))
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();
  const user =
    change &&
    (await tx
      .selectFrom("users")
      .select(["id", "name", "password_hash"])
      .where("id", "=", change.user_id)
      .where("email_key", "=", EmailAddress.key(change.old_email))
      .executeTakeFirst());
  if (!user || Password.fingerprint(user.password_hash) !== change.password_fingerprint) throw linkExpired();
  await tx
    .updateTable("users")
    .set({ ...emailColumns(change.new_email), email_verified_at: now, ...changed(now) })
    .where("id", "=", user.id)
    .execute();
  await tx.deleteFrom("password_resets").where("user_id", "=", user.id).execute();
  await tx.deleteFrom("registrations").where("email_key", "=", EmailAddress.key(change.new_email)).execute();
  const target = { type: "user", id: user.id, name: user.name } as const;
  const changes = { email: { before: change.old_email, after: change.new_email } };
  await Event.record(
    tx,
    { ...origin, userId: user.id },
    { action: "user.email_changed", target, changes },
    now,
  );
}

/** Undoes a change in the transaction. `removedEmail` is the email of the account until now, if it was another one. */
async function revert(tx: Tx, token: string, resetToken: string, origin: RequestOrigin, now: Date) {
  const change = await tx
    .deleteFrom("email_changes")
    .where("undo_hash", "=", hashSecret(token))
    .where("undo_expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();
  if (!change) throw linkExpired();
  const { user_id: userId, old_email: email, created_at: requestedAt } = change;
  const by = { ...origin, userId };
  const { email: current, name } = await tx
    .selectFrom("users")
    .select(["email", "name"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  await tx
    .updateTable("users")
    .set({ ...emailColumns(email), password_hash: Password.unmatchable(), ...changed(now) })
    .where("id", "=", userId)
    .execute();
  await tx
    .deleteFrom("email_changes")
    .where("user_id", "=", userId)
    .where("created_at", ">=", requestedAt)
    .execute();
  await Session.endAll(tx, userId, now);
  await ApiToken.revokeAll(tx, by, now);
  for (const table of ["webauthn_challenges", "password_resets"] as const)
    await tx.deleteFrom(table).where("user_id", "=", userId).execute();
  await removeAddedSince(tx, userId, new Date(requestedAt.getTime() - preparationHours * 3_600_000));
  const expiresAt = await ResetLink.storeLink(tx, userId, resetToken, now);
  const target = { type: "user", id: userId, name } as const;
  const changes = { email: { before: current, after: email } };
  await Event.record(tx, by, { action: "user.email_change_undone", target, changes }, now);
  return { removedEmail: current === email ? undefined : current, expiresAt };
}

/** Removes the devices, passkeys, second factors and backup codes that were added at `since` or later. */
async function removeAddedSince(tx: Tx, userId: string, since: Date): Promise<void> {
  for (const table of ["devices", "totp_factors", "webauthn_credentials"] as const)
    await tx.deleteFrom(table).where("user_id", "=", userId).where("created_at", ">=", since).execute();
  const { numDeletedRows } = await tx
    .deleteFrom("backup_code_sets")
    .where("user_id", "=", userId)
    .where("created_at", ">=", since)
    .executeTakeFirst();
  if (numDeletedRows > 0n) await tx.deleteFrom("backup_codes").where("user_id", "=", userId).execute();
  await BackupCodes.removeIfUnused(tx, userId);
}

function emailColumns(email: string): { email: string; email_key: string } {
  return { email, email_key: EmailAddress.key(email) };
}

function undoExpiry(now: Date): Date {
  return new Date(now.getTime() + Emails.undoDays * 86_400_000);
}

/** Sends an email to the owner of the account. Failures are logged: an unreachable old email must not prevent its change. */
async function sendNotice(email: Mail.Email, { requestId }: RequestOrigin): Promise<void> {
  await Mail.send(email).catch((error: Error) =>
    log.warn("email not sent", { requestId, subject: email.subject, error }),
  );
}

/** Throws `conflict` `email_taken` if the work failed because another account has the email. */
async function unlessTaken<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!violates(error, "users_email_key")) throw error;
    throw new Fault(
      "conflict",
      "email_taken",
      "Another account uses this email by now. Sign in to that account, and delete it or change its email first.",
    );
  });
}

function linkExpired(): Fault {
  return new Fault("expired", "link_expired", "This link has expired or was already used.");
}
