import type { Origin } from "../account/actor.ts";
import { db, type Tx } from "../db/engine.ts";
import { newId } from "../id.ts";
import { hashed, newSecret } from "./secret.ts";

export type Device = { id: string; name: string };

/** The device of this person that this token was given to, if any. */
export async function known(userId: string, deviceToken: string | undefined): Promise<Device | undefined> {
  if (!deviceToken) return undefined;
  return db()
    .selectFrom("devices")
    .select(["id", "name"])
    .where("token_hash", "=", hashed(deviceToken))
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/** The known device seen again, or a new one: with the token that makes it known the next time. */
export async function see(
  tx: Tx,
  userId: string,
  device: { known: Device; token: string } | { name: string | undefined; origin: Origin },
  now: Date,
): Promise<{ id: string; token: string }> {
  if ("known" in device) {
    await tx.updateTable("devices").set({ last_seen_at: now }).where("id", "=", device.known.id).execute();
    return { id: device.known.id, token: device.token };
  }
  const token = newSecret();
  const id = newId("dev", now);
  const name = device.name ?? (device.origin.userAgent.slice(0, 100) || "Unknown device");
  await tx
    .insertInto("devices")
    .values({ id, user_id: userId, token_hash: hashed(token), name, created_at: now, last_seen_at: now })
    .execute();
  return { id, token };
}
