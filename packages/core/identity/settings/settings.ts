import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import * as Event from "../../event/event.ts";
import { db, type Reader } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { changed } from "../../platform/db/version.ts";

/** Range of the idle timeout: 15 minutes to 30 days. */
export const minIdleMinutes = 15;
export const maxIdleMinutes = 43_200;

export const Settings = z.object({
  idleTimeoutMinutes: z.int().check(z.gte(minIdleMinutes), z.lte(maxIdleMinutes)),
  /** Whether to send an email when the user signs in on a new device. */
  loginNotifications: z.boolean(),
});
export type Settings = z.infer<typeof Settings>;

export const Update = z.partial(Settings);
export type Update = z.infer<typeof Update>;

/** Returns the caller's security settings. */
export function get(actor: Actor): Promise<Settings> {
  return read(db(), actor.userId);
}

/** Updates the given settings. A new idle timeout also applies to sessions that are already open. */
export async function update(actor: Actor, input: Update, now: Date = Clock.now()): Promise<Settings> {
  return transaction(async (tx) => {
    const before = await read(tx, actor.userId);
    const after = {
      idleTimeoutMinutes: input.idleTimeoutMinutes ?? before.idleTimeoutMinutes,
      loginNotifications: input.loginNotifications ?? before.loginNotifications,
    };
    const differing = (["idleTimeoutMinutes", "loginNotifications"] as const).filter(
      (name) => before[name] !== after[name],
    );
    if (differing.length === 0) return before;
    await tx
      .updateTable("users")
      .set({
        idle_timeout_minutes: after.idleTimeoutMinutes,
        login_notifications: after.loginNotifications,
        ...changed(now),
      })
      .where("id", "=", actor.userId)
      .execute();
    const changes = Object.fromEntries(
      differing.map((name) => [name, { before: before[name], after: after[name] }]),
    );
    const target = { type: "user", id: actor.userId, name: "" } as const;
    await Event.record(tx, actor, { action: "user.security_changed", target, changes }, now);
    return after;
  });
}

async function read(reader: Reader, userId: string): Promise<Settings> {
  const row = await reader
    .selectFrom("users")
    .select(["idle_timeout_minutes", "login_notifications"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  return {
    idleTimeoutMinutes: row.idle_timeout_minutes,
    loginNotifications: row.login_notifications !== false,
  };
}
