import { sql } from "kysely";
import * as z from "zod/mini";
import type { RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import * as EmailAddress from "../../base/email-address.ts";
import * as Config from "../../platform/config/config.ts";
import { hashSecret, newSecret } from "../../platform/crypto/secret.ts";
import { deleteInBatches } from "../../platform/db/delete-in-batches.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import * as MailLimit from "../../platform/limit/mail-limit.ts";
import * as Email from "../../platform/mail/email.ts";
import * as Mail from "../../platform/mail/mail.ts";
import * as Notice from "../notices/notice.ts";

export const linkMinutes = 60;

/** User id of the row that is written for an email without an account. Real ids have another format. */
const noUser = "none";

export const Forgot = z.object({ email: EmailAddress.Email });
export type Forgot = z.infer<typeof Forgot>;

/**
 * Sends a password reset link by email. The caller cannot tell whether the account exists: either way one row is written and
 * one email is sent. At most five messages an hour go to one email; further calls do nothing.
 */
export async function forgot(
  { email }: Forgot,
  origin: RequestOrigin,
  now: Date = Clock.now(),
): Promise<void> {
  const emailKey = EmailAddress.key(email);
  if (!(await MailLimit.permits("reset", email, now))) return;
  const user = await db()
    .selectFrom("users")
    .select(["id", "email"])
    .where("email_key", "=", emailKey)
    .executeTakeFirst();
  const token = newSecret();
  await transaction((tx) => storeLink(tx, user?.id ?? noUser, token, now));
  await Mail.send(user ? resetLinkEmail(user.email, token, origin, now) : noAccountEmail(email, origin, now));
}

/** Stores the token of a new link and returns when it expires. */
export async function storeLink(tx: Tx, userId: string, token: string, now: Date): Promise<Date> {
  const expiresAt = new Date(now.getTime() + linkMinutes * 60_000);
  await tx
    .insertInto("password_resets")
    .values({ token_hash: hashSecret(token), user_id: userId, created_at: now, expires_at: expiresAt })
    .execute();
  return expiresAt;
}

/** Deletes expired links. Returns the number of deleted rows. */
export function purge(now: Date = Clock.now()): Promise<number> {
  return deleteInBatches("password_resets", ["token_hash"], sql`expires_at < ${now}`);
}

function resetLinkEmail(to: string, token: string, origin: RequestOrigin, now: Date) {
  return Email.compose({
    to,
    subject: "Reset your password",
    paragraphs: [
      "We received a request to reset the password of your account.",
      ...Notice.circumstances(now, origin),
      `Use the link within ${linkMinutes} minutes to choose a new password. It works once. If you didn't request this, you can ignore this email: your password stays the same.`,
    ],
    // In the fragment, so that the token reaches no server's log and no Referer header.
    link: { label: "Reset password", url: `${Config.appUrl()}/reset-password#token=${token}` },
  });
}

function noAccountEmail(to: string, origin: RequestOrigin, now: Date) {
  return Email.compose({
    to,
    subject: "There is no account with this email",
    paragraphs: [
      "We received a request to reset a password, but no account exists with this email. Perhaps you registered with another one.",
      ...Notice.circumstances(now, origin),
      "If you didn't request this, you can ignore this email.",
    ],
    link: { label: "Create an account", url: `${Config.appUrl()}/register` },
  });
}
