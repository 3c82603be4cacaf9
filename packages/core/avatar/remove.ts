import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import type * as Event from "../event/event.ts";
import { db } from "../platform/db/engine.ts";
import { log } from "../platform/log/log.ts";
import { clear } from "./clear.ts";
import * as ObjectKey from "./object-key.ts";
import * as StoredValue from "./stored-value.ts";

/** Removes the caller's avatar, as `removeOf` does. Does nothing without an avatar. */
export async function remove(actor: Actor, now: Date = Clock.now()): Promise<void> {
  const user = await db()
    .selectFrom("users")
    .select(["id", "avatar", "name"])
    .where("id", "=", actor.userId)
    .executeTakeFirstOrThrow();
  if (user.avatar !== "") await removeOf(actor, user, now);
}

/**
 * Removes this avatar of a user: deletes the object, clears the stored value unless another avatar has been uploaded meanwhile,
 * and deletes the small object. Clears a legacy value without accessing the bucket. Throws `upstream` `storage_unavailable`
 * and leaves the stored value unchanged. If only the small object cannot be deleted, it is left to the sweep.
 */
export async function removeOf(
  by: Event.EventActor & { requestId: string },
  user: { id: string; name: string; avatar: string },
  now: Date,
): Promise<void> {
  const key = StoredValue.key(user.avatar);
  if (!key) return clear(by, user, now);
  // Imported here so that requests that do not reach the bucket need not wait for the S3 client to load.
  const { avatarBucket } = await import("./bucket.ts");
  await avatarBucket().remove(key);
  await clear(by, user, now);
  const small = ObjectKey.small(key);
  await avatarBucket()
    .remove(small)
    .catch((error: Error) => {
      log.warn("object left to the sweep", { requestId: by.requestId, key: small, error });
    });
}
