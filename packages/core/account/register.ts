import * as z from "zod/mini";
import * as Clock from "../clock/clock.ts";
import * as Config from "../config/config.ts";
import { db } from "../db/engine.ts";
import { transaction, violates } from "../db/transaction.ts";
import * as Event from "../event/event.ts";
import { Fault } from "../fault.ts";
import { newId } from "../id.ts";
import * as Letter from "../mail/letter.ts";
import * as Mail from "../mail/mail.ts";
import * as Password from "../security/password.ts";
import { Password as PasswordInput, refuseCommon } from "../security/password-policy.ts";
import { hashed, newSecret } from "../security/secret.ts";
import { Name } from "../text.ts";
import * as Workspace from "../workspace/workspace.ts";
import type { Origin } from "./actor.ts";
import * as Email from "./email.ts";
import { enter, type LoggedIn } from "./login.ts";

export const linkHours = 24;

export const Register = z.object({
  email: Email.Email,
  password: PasswordInput,
  name: Name,
  workspaceName: z.optional(Name),
});
export type Register = z.infer<typeof Register>;

export const Verify = z.object({ token: z.string().check(z.minLength(1), z.maxLength(100)) });
export type Verify = z.infer<typeof Verify>;

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

/**
 * Open the account that a mailed link was for, with a FREE workspace and its first team, and let its owner in. Throws 410
 * `link_expired` for a link that was used, is older than a day, or never was.
 */
export async function verify({ token }: Verify, origin: Origin, now: Date = Clock.now()): Promise<LoggedIn> {
  const expired = new Fault(
    "expired",
    "link_expired",
    "This link was used before or is too old. Register again, or log in.",
  );
  const user = await transaction(async (tx) => {
    const asked = await tx
      .deleteFrom("registrations")
      .where("token_hash", "=", hashed(token))
      .where("expires_at", ">", now)
      .returningAll()
      .executeTakeFirst();
    if (!asked) throw expired;
    const id = newId("usr", now);
    await tx
      .insertInto("users")
      .values({
        id,
        email: asked.email,
        email_key: Email.key(asked.email),
        password_hash: asked.password_hash,
        name: asked.name,
        email_verified_at: now,
        created_at: now,
        updated_at: now,
      })
      .execute();
    const by = { ...origin, userId: id };
    await Event.record(
      tx,
      by,
      { action: "user.registered", target: { type: "user", id, name: asked.name } },
      now,
    );
    await Workspace.found(tx, by, id, asked.workspace_name, now);
    return { id, name: asked.name };
  }).catch((error: unknown) => {
    throw violates(error, "users_email_key") ? expired : error;
  });
  return enter(user, { name: undefined }, origin, now, { method: "email_link" });
}

/** Forget requests for accounts that nobody opened. Answers how many rows went. */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const gone = await db().deleteFrom("registrations").where("expires_at", "<", now).executeTakeFirst();
  return Number(gone.numDeletedRows);
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
