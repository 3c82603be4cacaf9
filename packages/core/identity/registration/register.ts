import * as z from "zod/mini";
import * as Clock from "../../base/clock.ts";
import * as EmailAddress from "../../base/email-address.ts";
import { Name } from "../../base/text.ts";
import * as Config from "../../platform/config/config.ts";
import { hashSecret, newSecret } from "../../platform/crypto/secret.ts";
import { db } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import * as MailLimit from "../../platform/limit/mail-limit.ts";
import * as Email from "../../platform/mail/email.ts";
import * as Mail from "../../platform/mail/mail.ts";
import * as Password from "../password/hash.ts";
import { NewPassword, requireStrong } from "../password/new-password.ts";

export const linkHours = 24;

export const Register = z.object({
  email: EmailAddress.Email,
  password: NewPassword,
  name: Name,
  workspaceName: z.optional(Name),
});
export type Register = z.infer<typeof Register>;

/**
 * Requests an account and sends a verification link by email. `verify` creates the account. The caller cannot tell whether the
 * email is already registered: either way one row is written and one email is sent. At most five messages an hour go to one
 * email; further calls only write the row. Throws `invalid` `password_too_weak`.
 */
export async function register(input: Register, now: Date = Clock.now()): Promise<void> {
  await requireStrong(input.password, input, "/password");
  const mailed = await MailLimit.permits("registration", input.email, now);
  const token = newSecret();
  const passwordHash = await Password.hash(input.password);
  const existing = await db()
    .selectFrom("users")
    .select("id")
    .where("email_key", "=", EmailAddress.key(input.email))
    .executeTakeFirst();
  // Written for a registered email too, so that both cases take the same time, but with a token that is never sent.
  await transaction((tx) =>
    tx
      .insertInto("registrations")
      .values({
        token_hash: hashSecret(existing ? newSecret() : token),
        email: input.email,
        email_key: EmailAddress.key(input.email),
        name: input.name,
        password_hash: passwordHash,
        workspace_name: input.workspaceName ?? `${input.name}’s workspace`.slice(0, 100),
        created_at: now,
        expires_at: new Date(now.getTime() + linkHours * 3_600_000),
      })
      .execute(),
  );
  if (mailed)
    await Mail.send(existing ? accountExistsEmail(input.email) : verificationEmail(input.email, token));
}

function verificationEmail(to: string, token: string) {
  return Email.compose({
    to,
    subject: "Confirm your email",
    paragraphs: [
      "We received a request to create an account with this email.",
      `Use the link within ${linkHours} hours to confirm your email and create the account with the password that you chose. If you didn't request this, you can ignore this email: no account is created without the link.`,
    ],
    // In the fragment, so that the token reaches no server's log and no Referer header.
    link: { label: "Confirm email", url: `${Config.appUrl()}/verify-email#token=${token}` },
  });
}

function accountExistsEmail(to: string) {
  return Email.compose({
    to,
    subject: "You already have an account",
    paragraphs: [
      "We received a request to create an account with this email, but you already have one. Sign in with your password, or reset it if you have forgotten it.",
      "If you didn't request this, you can ignore this email: your account has not changed.",
    ],
    link: { label: "Sign in", url: `${Config.appUrl()}/login` },
  });
}
