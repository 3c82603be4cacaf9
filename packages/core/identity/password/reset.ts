import * as z from "zod/mini";
import type { RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import * as EmailAddress from "../../base/email-address.ts";
import { Fault } from "../../base/fault.ts";
import * as Event from "../../event/event.ts";
import * as Config from "../../platform/config/config.ts";
import { hashSecret, newSecret } from "../../platform/crypto/secret.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import * as RateLimit from "../../platform/limit/rate-limit.ts";
import * as Email from "../../platform/mail/email.ts";
import * as Mail from "../../platform/mail/mail.ts";
import * as Notice from "../notices/notice.ts";
import * as Session from "../sessions/session.ts";
import { changedNotice } from "./change.ts";
import * as Password from "./hash.ts";
import { Password as PasswordInput, rejectCommon } from "./password-policy.ts";

export const linkMinutes = 60;

/** User id of the row that is written for an email without an account. Real ids have another format. */
const noUser = "none";

export const Forgot = z.object({ email: EmailAddress.Email });
export type Forgot = z.infer<typeof Forgot>;

export const Reset = z.object({
  token: z.string().check(z.minLength(1), z.maxLength(100)),
  password: PasswordInput,
});
export type Reset = z.infer<typeof Reset>;

/**
 * Sends a password reset link by email. The caller cannot tell whether the account exists: either way one row is written and
 * one email is sent. At most five emails an hour are sent to one email address; further calls do nothing.
 */
export async function forgot(
  { email }: Forgot,
  origin: RequestOrigin,
  now: Date = Clock.now(),
): Promise<void> {
  const emailKey = EmailAddress.key(email);
  if ((await RateLimit.consume("reset", hashSecret(emailKey), now))?.exceeded) return;
  const user = await db()
    .selectFrom("users")
    .select(["id", "email"])
    .where("email_key", "=", emailKey)
    .executeTakeFirst();
  const token = newSecret();
  await transaction((tx) =>
    tx
      .insertInto("password_resets")
      .values({
        token_hash: hashSecret(token),
        user_id: user?.id ?? noUser,
        created_at: now,
        expires_at: new Date(now.getTime() + linkMinutes * 60_000),
      })
      .execute(),
  );
  await Mail.send(user ? resetLinkEmail(user.email, token, origin, now) : noAccountEmail(email, origin, now));
}

/**
 * Sets a new password with the token of a reset link, ends all of the user's sessions and voids their other links. Does not
 * sign in, so that a second factor is still required. Throws `expired` `link_expired`, and `invalid` `password_too_common`,
 * which does not consume the link.
 */
export async function reset(
  { token, password }: Reset,
  origin: RequestOrigin,
  now: Date = Clock.now(),
): Promise<void> {
  rejectCommon(password, "/password");
  const passwordHash = await Password.hash(password);
  const userId = await transaction(async (tx) => {
    const user = await consumeLink(tx, token, passwordHash, now);
    if (!user)
      throw new Fault(
        "expired",
        "link_expired",
        "This link has expired or was already used. Request a new one.",
      );
    await tx.deleteFrom("password_resets").where("user_id", "=", user.id).execute();
    await Session.endAll(tx, user.id, now);
    const target = { type: "user", ...user } as const;
    await Event.record(tx, { ...origin, userId: user.id }, { action: "user.password_reset", target }, now);
    return user.id;
  });
  await Notice.send({ ...origin, userId }, changedNotice, now);
}

/** Deletes a valid link and stores the new password of its user. Returns undefined if the link is not valid. */
async function consumeLink(
  tx: Tx,
  token: string,
  passwordHash: string,
  now: Date,
): Promise<{ id: string; name: string } | undefined> {
  const link = await tx
    .deleteFrom("password_resets")
    .where("token_hash", "=", hashSecret(token))
    .where("expires_at", ">", now)
    .returning("user_id")
    .executeTakeFirst();
  if (!link) return undefined;
  return tx
    .updateTable("users")
    .set({ password_hash: passwordHash, updated_at: now })
    .where("id", "=", link.user_id)
    .returning(["id", "name"])
    .executeTakeFirst();
}

/** Deletes expired links. Returns the number of deleted rows. */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const deleted = await db().deleteFrom("password_resets").where("expires_at", "<", now).executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

function resetLinkEmail(to: string, token: string, origin: RequestOrigin, now: Date) {
  return Email.compose({
    to,
    subject: "Reset your password",
    paragraphs: [
      "We received a request to reset the password of your account.",
      ...Notice.circumstances(now, origin.ip, origin.userAgent),
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
      ...Notice.circumstances(now, origin.ip, origin.userAgent),
      "If you didn't request this, you can ignore this email.",
    ],
    link: { label: "Create an account", url: `${Config.appUrl()}/register` },
  });
}
