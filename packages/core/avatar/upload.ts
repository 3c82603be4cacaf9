import { sql } from "kysely";
import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import * as Event from "../event/event.ts";
import { db } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { changed } from "../platform/db/version.ts";
import { log } from "../platform/log/log.ts";
import { type Optimised, optimise } from "./image.ts";
import * as ObjectKey from "./object-key.ts";
import * as Placeholder from "./placeholder.ts";
import * as Avatar from "./resolve.ts";
import * as StoredValue from "./stored-value.ts";

/**
 * Maximum number of keys that an upload tries. Claimed keys are unique, so an existing object means that an earlier put
 * succeeded but its response was lost.
 */
const keyAttempts = 3;

/** The response to an upload: the stored value, and what is needed for showing the avatar immediately. */
export const Uploaded = z.object({
  url: z.string(),
  signedUrl: z.string(),
  avatarSmall: Avatar.fields.avatarSmall,
  avatarPlaceholder: Avatar.fields.avatarPlaceholder,
});
export type Uploaded = z.infer<typeof Uploaded>;

/**
 * Stores an image as the caller's avatar and returns its stored value. The steps (claim a key, put the small object, put the
 * large one, commit the row and its event, delete the previous objects) are ordered so that both objects of the stored avatar
 * exist after a crash at any point. The sweep deletes orphaned objects. Throws the faults of `optimise`, and `upstream`
 * `storage_unavailable`.
 */
export async function upload(actor: Actor, bytes: Uint8Array, now: Date = Clock.now()): Promise<string> {
  const picture = await optimise(bytes);
  const key = await put(actor.userId, picture, now);
  const stored = StoredValue.fromKey(key);
  const values = { avatar: stored, avatar_placeholder: Placeholder.toStored(key, picture.small.thumbHash) };
  const previous = await replace(actor, values, now).catch(async (error: unknown) => {
    if (!commitUnknown(error)) await discard(key, actor);
    else if (await isCurrent(actor.userId, stored)) return undefined;
    throw error;
  });
  const previousKey = previous === undefined ? undefined : StoredValue.key(previous);
  if (previousKey) await discard(previousKey, actor);
  return stored;
}

/**
 * Builds the response for a stored value. Signs new URLs each time, also for a replayed request. For an avatar that has been
 * replaced meanwhile, `avatarSmall` is the URL of the large object.
 */
export async function view(actor: Actor, stored: string): Promise<Uploaded> {
  const row = await db()
    .selectFrom("users")
    .select("avatar_placeholder as avatarPlaceholder")
    .where("id", "=", actor.userId)
    .executeTakeFirst();
  const { avatar, ...rest } = Avatar.resolve({
    avatar: stored,
    avatarPlaceholder: row?.avatarPlaceholder ?? null,
  });
  return { url: stored, signedUrl: avatar, ...rest };
}

/** Puts the objects of a picture, the small one first, so that a large object is never without it. Returns the large one's key. */
async function put(userId: string, { buffer, small }: Optimised, now: Date): Promise<string> {
  const { putPicture } = await import("./bucket.ts");
  for (let attempt = 0; attempt < keyAttempts; attempt++) {
    const key = ObjectKey.build({ userId, unixTimestampMs: await claim(userId, now) });
    if ((await putPicture(ObjectKey.small(key), small.buffer)) === "exists") continue;
    if ((await putPicture(key, buffer)) === "stored") return key;
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
async function replace(
  actor: Actor,
  values: { avatar: string; avatar_placeholder: string },
  now: Date,
): Promise<string> {
  return transaction(async (tx) => {
    const before = await tx
      .selectFrom("users")
      .select(["avatar", "name"])
      .where("id", "=", actor.userId)
      .executeTakeFirstOrThrow();
    await tx
      .updateTable("users")
      .set({ ...values, ...changed(now) })
      .where("id", "=", actor.userId)
      .execute();
    const target = { type: "user", id: actor.userId, name: before.name } as const;
    const changes = { avatar: { before: before.avatar, after: values.avatar } };
    await Event.record(tx, actor, { action: "user.avatar_changed", target, changes }, now);
    return before.avatar;
  });
}

/**
 * Returns whether the connection broke during the commit, so that its outcome is unknown. The objects must stay then; the
 * sweep deletes them if they are orphans.
 */
function commitUnknown(error: unknown): boolean {
  return error instanceof Fault && error.code === "commit_unknown";
}

async function isCurrent(userId: string, stored: string): Promise<boolean> {
  const query = db().selectFrom("users").select("avatar").where("id", "=", userId).executeTakeFirst();
  return (await query.catch(() => undefined))?.avatar === stored;
}

/** Deletes the unreferenced objects of a picture. An error does not fail the upload, since the daily sweep deletes orphans. */
async function discard(key: string, { requestId }: Actor): Promise<void> {
  try {
    const { avatarBucket } = await import("./bucket.ts");
    await avatarBucket().removeAll([ObjectKey.small(key), key]);
  } catch (error) {
    log.warn("object left to the sweep", { requestId, key, error: error as Error });
  }
}
