import type { Actor } from "../../base/actor.ts";
import { Fault } from "../../base/fault.ts";
import * as Event from "../../event/event.ts";
import { db } from "../../platform/db/engine.ts";
import * as Password from "./hash.ts";
import * as LockOut from "./lock-out.ts";

/**
 * Verifies the caller's current password. Throws `forbidden` `invalid_credentials` if it is wrong (not `unauthenticated`,
 * because the session is valid), and `busy` `account_temporarily_locked` after too many attempts in this session.
 */
export async function verifyCurrent(
  actor: Actor,
  password: string,
  now: Date,
): Promise<{ name: string; email: string }> {
  const user = await db()
    .selectFrom("users")
    .select(["email", "email_key", "name", "password_hash"])
    .where("id", "=", actor.userId)
    .executeTakeFirstOrThrow();
  const subject = LockOut.subject(user.email_key, actor.sessionId);
  const check = async () => ((await Password.matches(password, user.password_hash)) ? "success" : "failure");
  try {
    if ((await LockOut.attempt(subject, check, now)) === "failure")
      throw new Fault("forbidden", "invalid_credentials", "Incorrect current password.");
  } catch (error) {
    if (error instanceof Fault && error.kind !== "unavailable")
      await recordFailure(actor, "password", error.code, now);
    throw error;
  }
  return user;
}

/** Records in the audit logs of the caller's workspaces that they failed to confirm their identity. */
export async function recordFailure(
  actor: Actor,
  method: "password" | "passkey",
  reason: string,
  now: Date,
): Promise<void> {
  const target = { type: "user", id: actor.userId, name: "" } as const;
  const details = { method, reason };
  await Event.recordFailure(actor, { action: "user.reauthentication_failed", target, details }, now);
}
