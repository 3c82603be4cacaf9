import * as z from "zod/mini";
import * as Clock from "../../base/clock.ts";
import * as EmailAddress from "../../base/email-address.ts";
import { Name } from "../../base/text.ts";
import * as Config from "../../platform/config/config.ts";
import { hashSecret, newSecret } from "../../platform/crypto/secret.ts";
import { db } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import * as Email from "../../platform/mail/email.ts";
import * as Mail from "../../platform/mail/mail.ts";
import * as Password from "../password/hash.ts";
import { Password as PasswordInput, refuseCommon } from "../password/password-policy.ts";

export const linkHours = 24;

export const Register = z.object({
  email: EmailAddress.Email,
  password: PasswordInput,
  name: Name,
  workspaceName: z.optional(Name),
});
export type Register = z.infer<typeof Register>;

/**
 * Ask for an account. What the caller sees does not depend on whether the address is taken: the same work is done, one
 * mail goes out, and its reader learns which. Nothing exists until the link is opened.
 */
export async function register(input: Register, now: Date = Clock.now()): Promise<void> {
  refuseCommon(input.password, "/password");
  const token = newSecret();
  const passwordHash = await Password.hash(input.password);
  const taken = await db()
    .selectFrom("users")
    .select("id")
    .where("email_key", "=", EmailAddress.key(input.email))
    .executeTakeFirst();
  // The row is written for a taken address too, so that both take the same time; its token is known to nobody.
  await transaction((tx) =>
    tx
      .insertInto("registrations")
      .values({
        token_hash: hashSecret(taken ? newSecret() : token),
        email: input.email,
        name: input.name,
        password_hash: passwordHash,
        workspace_name: input.workspaceName ?? `${input.name}’s workspace`.slice(0, 100),
        created_at: now,
        expires_at: new Date(now.getTime() + linkHours * 3_600_000),
      })
      .execute(),
  );
  await Mail.send(taken ? takenLetter(input.email) : verifyLetter(input.email, token));
}

function verifyLetter(to: string, token: string) {
  return Email.compose({
    to,
    subject: "Confirm your address",
    paragraphs: [
      "Somebody, probably you, asked for an account with this address.",
      `Open the link within ${linkHours} hours to start. If it was not you, do nothing: without the link there is no account.`,
    ],
    // In the fragment, so that the token reaches no server's log and no Referer header.
    link: { label: "Confirm and start", url: `${Config.appUrl()}/verify-email#token=${token}` },
  });
}

function takenLetter(to: string) {
  return Email.compose({
    to,
    subject: "You already have an account",
    paragraphs: [
      "Somebody, probably you, asked for an account with this address. There is one already: log in with your password, or reset it.",
      "If it was not you, do nothing. Your account is as it was.",
    ],
    link: { label: "Log in", url: `${Config.appUrl()}/login` },
  });
}
