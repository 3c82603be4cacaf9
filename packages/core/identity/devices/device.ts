import { newId } from "../../base/id.ts";
import { hashSecret, newSecret } from "../../platform/crypto/secret.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import * as UserAgent from "./user-agent.ts";

export type Device = { id: string; name: string };

/** The device of a sign-in: either a known device with its token, or a new one with a name, if the client sent one. */
export type Presented = { known: Device; token: string } | { name: string | undefined };

/** The traits by which a device without a token is recognized. */
export type Traits = { userAgent: string; country: string };

/** Finds the user's device that this token was issued to. */
export async function findByToken(
  userId: string,
  deviceToken: string | undefined,
): Promise<Device | undefined> {
  if (!deviceToken) return undefined;
  return db()
    .selectFrom("devices")
    .select(["id", "name"])
    .where("token_hash", "=", hashSecret(deviceToken))
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/**
 * Records that the user signed in on a device, and returns it with the token that identifies it next time. A device
 * without a token matches an earlier one with the same browser family, system and country, which gets a new token;
 * otherwise it is added.
 */
export async function recordUse(
  tx: Tx,
  userId: string,
  device: Presented,
  { userAgent, country }: Traits,
  now: Date,
): Promise<Device & { token: string; isNew: boolean }> {
  if ("known" in device) {
    await tx
      .updateTable("devices")
      .set({ last_seen_at: now, country })
      .where("id", "=", device.known.id)
      .execute();
    return { ...device.known, token: device.token, isNew: false };
  }
  const token = newSecret();
  const client = UserAgent.client(userAgent);
  const traits = JSON.stringify([client.browser, client.system, country]);
  const candidate = { id: newId("dev", now), name: device.name ?? UserAgent.label(client) };
  // A single upsert: concurrent first sign-ins cause a write conflict instead of a duplicate key error.
  const stored = await tx
    .insertInto("devices")
    .values({
      ...candidate,
      ...client,
      user_id: userId,
      token_hash: hashSecret(token),
      country,
      traits,
      created_at: now,
      last_seen_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "traits"])
        .doUpdateSet({ last_seen_at: now, token_hash: hashSecret(token) }),
    )
    .returning(["id", "name"])
    .executeTakeFirstOrThrow();
  return { ...stored, token, isNew: stored.id === candidate.id };
}
