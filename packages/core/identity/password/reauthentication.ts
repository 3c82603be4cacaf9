import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { db } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { verifyCurrent } from "./change.ts";
import { maxLength } from "./password-policy.ts";

/** How long a session counts as reauthenticated after the password was entered. */
export const minutes = 10;

export const Reauthenticate = z.object({
  password: z.string().check(z.minLength(1), z.maxLength(maxLength)),
});
export type Reauthenticate = z.infer<typeof Reauthenticate>;

export const Reauthenticated = z.object({ expiresAt: z.iso.datetime() });
export type Reauthenticated = z.infer<typeof Reauthenticated>;

/**
 * Verifies the caller's password and marks their session as reauthenticated for ten minutes. Throws `forbidden`
 * `invalid_credentials` and `busy` `account_temporarily_locked`.
 */
export async function reauthenticate(
  actor: Actor,
  { password }: Reauthenticate,
  now: Date = Clock.now(),
): Promise<Reauthenticated> {
  await verifyCurrent(actor, password, now);
  await transaction((tx) =>
    tx
      .updateTable("sessions")
      .set({ reauthenticated_at: now })
      .where("id", "=", actor.sessionId)
      .where("user_id", "=", actor.userId)
      .execute(),
  );
  return { expiresAt: new Date(now.getTime() + minutes * 60_000).toISOString() };
}

/** Throws `forbidden` `reauthentication_required` unless this session was reauthenticated within the last ten minutes. */
export async function requireRecent(actor: Actor, now: Date = Clock.now()): Promise<void> {
  const recent = await db()
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", actor.sessionId)
    .where("user_id", "=", actor.userId)
    .where("reauthenticated_at", ">", new Date(now.getTime() - minutes * 60_000))
    .executeTakeFirst();
  if (recent) return;
  throw new Fault(
    "forbidden",
    "reauthentication_required",
    `Enter your password to confirm your identity. The confirmation is valid for ${minutes} minutes.`,
  );
}
