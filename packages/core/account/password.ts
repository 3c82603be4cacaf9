import * as z from "zod/mini";
import * as Clock from "../clock/clock.ts";
import { db } from "../db/engine.ts";
import { transaction } from "../db/transaction.ts";
import * as Event from "../event/event.ts";
import { Fault } from "../fault.ts";
import * as LockOut from "../security/lock-out.ts";
import * as Password from "../security/password.ts";
import { maxLength, Password as PasswordInput, refuseCommon } from "../security/password-policy.ts";
import * as Session from "../security/session.ts";
import type { Actor } from "./actor.ts";
import * as Email from "./email.ts";

export const Change = z.object({
  currentPassword: z.string().check(z.minLength(1), z.maxLength(maxLength)),
  newPassword: PasswordInput,
});
export type Change = z.infer<typeof Change>;

/**
 * Set a new password and end all other sessions. Throws 403 `invalid_credentials` for a wrong current password (the
 * session is fine, so it is no 401), 429 after too many of them, and 422 for a common new one.
 */
export async function change(actor: Actor, input: Change, now: Date = Clock.now()): Promise<void> {
  const user = await db()
    .selectFrom("users")
    .select(["email", "name", "password_hash"])
    .where("id", "=", actor.userId)
    .executeTakeFirstOrThrow();
  const subject = LockOut.subject(Email.key(user.email), actor.sessionId);
  await LockOut.attempt(subject, now);
  if (!(await Password.matches(input.currentPassword, user.password_hash)))
    throw new Fault("forbidden", "invalid_credentials", "The current password is not right.");
  await LockOut.succeeded(subject);
  refuseCommon(input.newPassword, "/newPassword");
  const passwordHash = await Password.hash(input.newPassword);
  await transaction(async (tx) => {
    await tx
      .updateTable("users")
      .set({ password_hash: passwordHash, updated_at: now })
      .where("id", "=", actor.userId)
      .execute();
    await Session.endOthers(tx, actor.userId, actor.sessionId, now);
    const target = { type: "user", id: actor.userId, name: user.name } as const;
    await Event.record(tx, actor, { action: "user.password_changed", target }, now);
  });
}
