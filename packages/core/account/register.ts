import * as z from "zod/mini";
import * as Clock from "../clock/clock.ts";
import * as Config from "../config/config.ts";
import { db } from "../db/engine.ts";
import { transaction } from "../db/transaction.ts";
import * as Letter from "../mail/letter.ts";
import * as Mail from "../mail/mail.ts";
import * as Password from "../security/password.ts";
import { Password as PasswordInput, refuseCommon } from "../security/password-policy.ts";
import { hashed, newSecret } from "../security/secret.ts";
import { Name } from "../text.ts";
import * as Email from "./email.ts";

export const linkHours = 24;

export const Register = z.object({
  email: Email.Email,
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
    .where("email_key", "=", Email.key(input.email))
    .executeTakeFirst();
  // The row is written for a taken address too, so that both take the same time; its token is known to nobody.
  await transaction((tx) =>
    tx
      .insertInto("registrations")
      .values({
        token_hash: hashed(taken ? newSecret() : token),
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
  return Letter.compose({
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
  return Letter.compose({
    to,
    subject: "You already have an account",
    paragraphs: [
      "Somebody, probably you, asked for an account with this address. There is one already: log in with your password, or reset it.",
      "If it was not you, do nothing. Your account is as it was.",
    ],
    link: { label: "Log in", url: `${Config.appUrl()}/login` },
  });
}
