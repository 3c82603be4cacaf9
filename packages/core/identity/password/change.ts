import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import * as Event from "../../event/event.ts";
import { db } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import * as Notice from "../notices/notice.ts";
import * as Session from "../sessions/session.ts";
import * as Password from "./hash.ts";
import * as LockOut from "./lock-out.ts";
import { maxLength, Password as PasswordInput, rejectCommon } from "./password-policy.ts";

export const Change = z.object({
  currentPassword: z.string().check(z.minLength(1), z.maxLength(maxLength)),
  newPassword: PasswordInput,
});
export type Change = z.infer<typeof Change>;

/** The email about a changed password. */
export const changedNotice: Notice.Notice = {
  subject: "Your password was changed",
  text: "The password of your account was changed, and all other sessions were signed out.",
};

/**
 * Sets a new password and ends the caller's other sessions. Throws `forbidden` `invalid_credentials` if the current password
 * is wrong, `busy` `account_temporarily_locked` after too many attempts, and `invalid` `password_too_common`.
 */
export async function change(actor: Actor, input: Change, now: Date = Clock.now()): Promise<void> {
  const { name } = await verifyCurrent(actor, input.currentPassword, now);
  rejectCommon(input.newPassword, "/newPassword");
  const passwordHash = await Password.hash(input.newPassword);
  await transaction(async (tx) => {
    await tx
      .updateTable("users")
      .set({ password_hash: passwordHash, updated_at: now })
      .where("id", "=", actor.userId)
      .execute();
    await Session.endOthers(tx, actor.userId, actor.sessionId, now);
    const target = { type: "user", id: actor.userId, name } as const;
    await Event.record(tx, actor, { action: "user.password_changed", target }, now);
  });
  await Notice.send(actor, changedNotice, now);
}

/**
 * Verifies the caller's current password. Throws `forbidden` `invalid_credentials` if it is wrong (not `unauthenticated`,
 * because the session is valid), and `busy` `account_temporarily_locked` after too many attempts in this session.
 */
export async function verifyCurrent(actor: Actor, password: string, now: Date): Promise<{ name: string }> {
  const user = await db()
    .selectFrom("users")
    .select(["email_key", "name", "password_hash"])
    .where("id", "=", actor.userId)
    .executeTakeFirstOrThrow();
  const subject = LockOut.subject(user.email_key, actor.sessionId);
  await LockOut.attempt(subject, now);
  if (!(await Password.matches(password, user.password_hash)))
    throw new Fault("forbidden", "invalid_credentials", "Incorrect current password.");
  await LockOut.clear(subject);
  return user;
}
