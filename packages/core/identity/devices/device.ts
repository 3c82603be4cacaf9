import { newId } from "../../base/id.ts";
import { hashSecret, newSecret } from "../../platform/crypto/secret.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import * as UserAgent from "./user-agent.ts";

export type Device = { id: string; name: string };

/** What a device shows of itself at a login: the token it was given the last time, or only what it cannot hide. */
export type Presented = { known: Device; token: string } | { name: string | undefined };

/** From where it is seen. */
export type Sight = { userAgent: string; country: string };

/** The device of this person that this token was given to, if any. */
export async function known(userId: string, deviceToken: string | undefined): Promise<Device | undefined> {
  if (!deviceToken) return undefined;
  return db()
    .selectFrom("devices")
    .select(["id", "name"])
    .where("token_hash", "=", hashSecret(deviceToken))
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/**
 * The device seen again, or a new one: with the token that makes it known the next time. One without its token is the
 * one of the same browser family, system and country, if there is one, and gets a new token.
 */
export async function see(
  tx: Tx,
  userId: string,
  device: Presented,
  { userAgent, country }: Sight,
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
  const fresh = { id: newId("dev", now), name: device.name ?? UserAgent.label(client) };
  // One statement for both: of several first logins at once, the later ones lose a race instead of finding a duplicate.
  const seen = await tx
    .insertInto("devices")
    .values({
      ...fresh,
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
  return { ...seen, token, isNew: seen.id === fresh.id };
}
