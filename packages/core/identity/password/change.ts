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
import { maxLength, Password as PasswordInput, refuseCommon } from "./password-policy.ts";

export const Change = z.object({
  currentPassword: z.string().check(z.minLength(1), z.maxLength(maxLength)),
  newPassword: PasswordInput,
});
export type Change = z.infer<typeof Change>;

/** What a person is told when the password is another one. */
export const changed: Notice.Notice = {
  subject: "Your password was changed",
  what: "A new password was set for your account, and all other sessions have ended.",
};

/**
 * Set a new password and end all other sessions. Throws 403 `invalid_credentials` for a wrong current password, 429 after
 * too many of them, and 422 for a common new one.
 */
export async function change(actor: Actor, input: Change, now: Date = Clock.now()): Promise<void> {
  const { name } = await prove(actor, input.currentPassword, now);
  refuseCommon(input.newPassword, "/newPassword");
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
  await Notice.send(actor, changed, now);
}

/**
 * The caller's own password, given again. Throws 403 `invalid_credentials` when it is wrong (the session is fine, so it is
 * no 401), and 429 `account_temporarily_locked` after too many tries in this session.
 */
export async function prove(actor: Actor, password: string, now: Date): Promise<{ name: string }> {
  const user = await db()
    .selectFrom("users")
    .select(["email_key", "name", "password_hash"])
    .where("id", "=", actor.userId)
    .executeTakeFirstOrThrow();
  const subject = LockOut.subject(user.email_key, actor.sessionId);
  await LockOut.attempt(subject, now);
  if (!(await Password.matches(password, user.password_hash)))
    throw new Fault("forbidden", "invalid_credentials", "The current password is not right.");
  await LockOut.succeeded(subject);
  return user;
}
