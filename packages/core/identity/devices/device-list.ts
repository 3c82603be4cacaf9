import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { Id } from "../../base/id.ts";
import { Instant } from "../../base/instant.ts";
import { Name } from "../../base/text.ts";
import * as Event from "../../event/event.ts";
import { db } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";

export const View = z.object({
  id: Id,
  name: z.string(),
  browser: z.string(),
  system: z.string(),
  country: z.nullable(z.string()),
  createdAt: Instant,
  lastSeenAt: Instant,
  current: z.boolean(),
});
export type View = z.infer<typeof View>;

export const Rename = z.object({ name: Name });
export type Rename = z.infer<typeof Rename>;

const missing = () => new Fault("missing", "device_not_found", "Device not found.");

/** Lists the devices the caller has signed in on, most recently used first. */
export async function list(actor: Actor): Promise<View[]> {
  return (await selection(actor).execute()).map(view);
}

/** Renames one of the caller's devices. Throws `missing` `device_not_found`. */
export async function rename(
  actor: Actor,
  deviceId: string,
  { name }: Rename,
  now: Date = Clock.now(),
): Promise<View> {
  await transaction(async (tx) => {
    const before = await tx
      .selectFrom("devices")
      .select("name")
      .where("id", "=", deviceId)
      .where("user_id", "=", actor.userId)
      .executeTakeFirst();
    if (!before) throw missing();
    if (before.name === name) return;
    await tx.updateTable("devices").set({ name }).where("id", "=", deviceId).execute();
    const target = { type: "device", id: deviceId, name } as const;
    const changes = { name: { before: before.name, after: name } };
    await Event.record(tx, actor, { action: "user.device_renamed", target, changes }, now);
  });
  const row = await selection(actor).where("devices.id", "=", deviceId).executeTakeFirst();
  if (!row) throw missing();
  return view(row);
}

/**
 * Removes one of the caller's devices: ends its sessions and invalidates its device token. The next sign-in on it counts
 * as a new device. Throws `missing` `device_not_found`.
 */
export async function remove(actor: Actor, deviceId: string, now: Date = Clock.now()): Promise<void> {
  await transaction(async (tx) => {
    const removed = await tx
      .deleteFrom("devices")
      .where("id", "=", deviceId)
      .where("user_id", "=", actor.userId)
      .returning("name")
      .executeTakeFirst();
    if (!removed) throw missing();
    await tx
      .updateTable("sessions")
      .set({ ended_at: now })
      .where("user_id", "=", actor.userId)
      .where("device_id", "=", deviceId)
      .where("ended_at", "is", null)
      .execute();
    const target = { type: "device", id: deviceId, ...removed } as const;
    await Event.record(tx, actor, { action: "user.device_removed", target }, now);
  });
}

function selection({ userId, sessionId }: Actor) {
  return db()
    .selectFrom("devices")
    .selectAll("devices")
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom("sessions")
          .select("sessions.id")
          .where("sessions.id", "=", sessionId)
          .whereRef("sessions.device_id", "=", "devices.id"),
      ).as("current"),
    )
    .where("devices.user_id", "=", userId)
    .orderBy("devices.last_seen_at", "desc")
    .orderBy("devices.id");
}

type DeviceRow = Awaited<ReturnType<ReturnType<typeof selection>["execute"]>>[number];

function view(row: DeviceRow): View {
  return {
    id: row.id,
    name: row.name,
    browser: row.browser ?? "",
    system: row.system ?? "",
    country: row.country || null,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    current: Boolean(row.current),
  };
}
