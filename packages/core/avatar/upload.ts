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

/**
 * Maximum number of keys that an upload tries. Claimed keys are unique, so an existing object means that an earlier put
 * succeeded but its response was lost.
 */
const keyAttempts = 3;

/** The response to an upload: the stored value, and a signed URL for showing the avatar immediately. */
export const Uploaded = z.object({ url: z.string(), signedUrl: z.string() });
export type Uploaded = z.infer<typeof Uploaded>;

/**
 * Stores an image as the caller's avatar and returns its stored value. The steps (claim a key, put the object, commit the row
 * and its event, delete the previous object) are ordered so that the stored avatar exists after a crash at any point. The
 * sweep deletes orphaned objects. Throws the faults of `optimise`, and `upstream` `storage_unavailable`.
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

/** Builds the response for a stored value. Signs a new URL each time, also for a replayed request. */
export function view(stored: string): Uploaded {
  return { url: stored, signedUrl: resolve(stored) };
}

/** Loads the S3 client on first use: it is most of a cold start, and rejected requests do not need it. */
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
  throw new Fault("upstream", "storage_unavailable", "File storage is unavailable. Try again in a moment.");
}

/**
 * Claims a timestamp that no earlier key of this user has: now, or the next free millisecond. A reused key could be deleted by
 * a request that is still deleting the object it replaced.
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

/** Updates the row and records the event. Returns the previous stored value. */
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
 * Returns whether the connection broke during the commit, so that its outcome is unknown. The object must stay then; the
 * sweep deletes it if it is an orphan.
 */
function commitUnknown(error: unknown): boolean {
  return error instanceof Fault && error.code === "commit_unknown";
}

async function isCurrent(userId: string, stored: string): Promise<boolean> {
  const query = db().selectFrom("users").select("avatar").where("id", "=", userId).executeTakeFirst();
  return (await query.catch(() => undefined))?.avatar === stored;
}

/** Deletes an unreferenced object. An error does not fail the upload, since the daily sweep deletes orphans. */
async function discard(key: string, { requestId }: Actor): Promise<void> {
  try {
    const avatars = await bucket();
    await avatars.remove(key);
  } catch (error) {
    log.warn("object left to the sweep", { requestId, key, error: error as Error });
  }
}
