import * as z from "zod/mini";
import type { RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import * as EmailAddress from "../../base/email-address.ts";
import { Fault } from "../../base/fault.ts";
import * as Event from "../../event/event.ts";
import * as Config from "../../platform/config/config.ts";
import { hashSecret, newSecret } from "../../platform/crypto/secret.ts";
import { db } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import * as RateLimit from "../../platform/limit/rate-limit.ts";
import * as Email from "../../platform/mail/email.ts";
import * as Mail from "../../platform/mail/mail.ts";
import * as Notice from "../notices/notice.ts";
import * as Session from "../sessions/session.ts";
import { changed } from "./change.ts";
import * as Password from "./hash.ts";
import { Password as PasswordInput, refuseCommon } from "./password-policy.ts";

export const linkMinutes = 60;

/** Stands in for a person where an address is unknown, so that the same row is written. No id looks like it. */
const nobody = "nobody";

export const Forgot = z.object({ email: EmailAddress.Email });
export type Forgot = z.infer<typeof Forgot>;

export const Reset = z.object({
  token: z.string().check(z.minLength(1), z.maxLength(100)),
  password: PasswordInput,
});
export type Reset = z.infer<typeof Reset>;

/**
 * Mail a link for a new password. What the caller sees does not depend on whether there is such an account: the same work
 * is done, one mail goes out, and its reader learns which. Beyond five an hour to one address, none goes out.
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
        user_id: user?.id ?? nobody,
        created_at: now,
        expires_at: new Date(now.getTime() + linkMinutes * 60_000),
      })
      .execute(),
  );
  await Mail.send(user ? linkLetter(user.email, token, origin, now) : strangerLetter(email, origin, now));
}

/**
 * Set the password that a mailed link is for. All sessions end and all other links are void; nobody is let in by it, so
 * that a second factor is still asked for. Throws 410 `link_expired`, and 422 `password_too_common` without using it up.
 */
export async function reset(
  { token, password }: Reset,
  origin: RequestOrigin,
  now: Date = Clock.now(),
): Promise<void> {
  refuseCommon(password, "/password");
  const passwordHash = await Password.hash(password);
  const userId = await transaction(async (tx) => {
    const asked = await tx
      .deleteFrom("password_resets")
      .where("token_hash", "=", hashSecret(token))
      .where("expires_at", ">", now)
      .returning("user_id")
      .executeTakeFirst();
    const user =
      asked &&
      (await tx
        .updateTable("users")
        .set({ password_hash: passwordHash, updated_at: now })
        .where("id", "=", asked.user_id)
        .returning(["id", "name"])
        .executeTakeFirst());
    if (!user)
      throw new Fault("expired", "link_expired", "This link was used before or is too old. Ask for another.");
    await tx.deleteFrom("password_resets").where("user_id", "=", user.id).execute();
    await Session.endAll(tx, user.id, now);
    const target = { type: "user", id: user.id, name: user.name } as const;
    await Event.record(tx, { ...origin, userId: user.id }, { action: "user.password_reset", target }, now);
    return user.id;
  });
  await Notice.send({ ...origin, userId }, changed, now);
}

/** Forget links that nobody opened. Answers how many rows went. */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const gone = await db().deleteFrom("password_resets").where("expires_at", "<", now).executeTakeFirst();
  return Number(gone.numDeletedRows);
}

function linkLetter(to: string, token: string, origin: RequestOrigin, now: Date) {
  return Email.compose({
    to,
    subject: "Set a new password",
    paragraphs: [
      "Somebody, probably you, asked for a new password for your account.",
      ...Notice.circumstances(now, origin.ip, origin.userAgent),
      `Open the link within ${linkMinutes} minutes to set it. It works once. If it was not you, do nothing: your password is as it was, and nobody can change it without this mail.`,
    ],
    // In the fragment, so that the token reaches no server's log and no Referer header.
    link: { label: "Set a new password", url: `${Config.appUrl()}/reset-password#token=${token}` },
  });
}

function strangerLetter(to: string, origin: RequestOrigin, now: Date) {
  return Email.compose({
    to,
    subject: "There is no account with this address",
    paragraphs: [
      "Somebody, probably you, asked for a new password for an account with this address. There is none: perhaps you registered with another address.",
      ...Notice.circumstances(now, origin.ip, origin.userAgent),
      "If it was not you, do nothing.",
    ],
    link: { label: "Register", url: `${Config.appUrl()}/register` },
  });
}
