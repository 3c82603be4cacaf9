import { sql } from "kysely";
import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import * as Event from "../event/event.ts";
import { db } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { log } from "../platform/log/log.ts";
import { optimise } from "./image.ts";
import * as ObjectKey from "./object-key.ts";
import { resolve } from "./resolve.ts";
import * as StoredValue from "./stored-value.ts";

/** Keys are claimed before they are used, so one that is taken nevertheless is a retry whose first answer got lost. */
const keyAttempts = 3;

/** What clients get: the stored value, for their records, and an address to show at once. */
export const Uploaded = z.object({ url: z.string(), signedUrl: z.string() });
export type Uploaded = z.infer<typeof Uploaded>;

/**
 * Make these bytes the caller's picture and answer its stored value. In this order, so that a crash at any point leaves a
 * picture that exists: a key is claimed, the object is put, the row and its event commit, the previous object goes. What a
 * crash leaves over, the sweep takes. Throws the faults of `optimise`, and 502 `storage_unavailable`.
 */
export async function upload(actor: Actor, bytes: Uint8Array, now: Date = Clock.now()): Promise<string> {
  const { buffer } = await optimise(bytes);
  const key = await put(actor.userId, buffer, now);
  const stored = StoredValue.fromKey(key);
  const previous = await replace(actor, stored, now).catch(async (error: unknown) => {
    if (!commitUnknown(error)) await discard(key, actor);
    else if (await isCurrent(actor.userId, stored)) return undefined;
    throw error;
  });
  const previousKey = previous === undefined ? undefined : StoredValue.key(previous);
  if (previousKey) await discard(previousKey, actor);
  return stored;
}

/** What is answered for a stored value: signed anew each time, when a call is replayed too. */
export function uploaded(stored: string): Uploaded {
  return { url: stored, signedUrl: resolve(stored) };
}

/** Loads the S3 client, most of a cold start, only now: whoever is refused before has not waited for it. */
async function bucket() {
  const { avatarBucket } = await import("./bucket.ts");
  return avatarBucket();
}

async function put(userId: string, body: Buffer, now: Date): Promise<string> {
  const avatars = await bucket();
  for (let attempt = 0; attempt < keyAttempts; attempt++) {
    const key = ObjectKey.build({ userId, unixTimestampMs: await claim(userId, now) });
    const outcome = await avatars.put(key, body, {
      contentType: "image/webp",
      cacheControl: "private, max-age=604800, immutable",
      ifAbsent: true,
    });
    if (outcome === "stored") return key;
  }
  throw new Fault(
    "upstream",
    "storage_unavailable",
    "The file store does not answer as it should. Try again in a moment.",
  );
}

/**
 * A time for a key that this person never had: now, or the next free millisecond. Without it, a key whose object was just
 * replaced could be used again, and whoever still removes the old object would remove the new one.
 */
async function claim(userId: string, now: Date): Promise<number> {
  const { last_avatar_ms } = await transaction((tx) =>
    tx
      .updateTable("users")
      .set({ last_avatar_ms: sql<number>`GREATEST(last_avatar_ms + 1, ${now.getTime()}::int8)` })
      .where("id", "=", userId)
      .returning("last_avatar_ms")
      .executeTakeFirstOrThrow(),
  );
  return Number(last_avatar_ms);
}

/** The row and its event. Answers the value that was there before. */
async function replace(actor: Actor, stored: string, now: Date): Promise<string> {
  return transaction(async (tx) => {
    const before = await tx
      .selectFrom("users")
      .select(["avatar", "name"])
      .where("id", "=", actor.userId)
      .executeTakeFirstOrThrow();
    await tx
      .updateTable("users")
      .set({ avatar: stored, updated_at: now })
      .where("id", "=", actor.userId)
      .execute();
    const target = { type: "user", id: actor.userId, name: before.name } as const;
    const changes = { avatar: { before: before.avatar, after: stored } };
    await Event.record(tx, actor, { action: "user.avatar_changed", target, changes }, now);
    return before.avatar;
  });
}

/**
 * The connection may break after the server has committed, or before it does. While nobody can tell, the object must stay:
 * the sweep takes it if it turns out to be an orphan.
 */
function commitUnknown(error: unknown): boolean {
  return error instanceof Fault && error.code === "commit_unknown";
}

async function isCurrent(userId: string, stored: string): Promise<boolean> {
  const look = db().selectFrom("users").select("avatar").where("id", "=", userId).executeTakeFirst();
  return (await look.catch(() => undefined))?.avatar === stored;
}

/** Remove an object that nothing points to any more. Failing is no failure of the upload: the sweep comes by daily. */
async function discard(key: string, { requestId }: Actor): Promise<void> {
  try {
    const avatars = await bucket();
    await avatars.remove(key);
  } catch (error) {
    log.warn("object left to the sweep", { requestId, key, error: error as Error });
  }
}
