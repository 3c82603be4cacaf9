import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import * as Event from "../event/event.ts";
import { db } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import * as StoredValue from "./stored-value.ts";

/**
 * Removes the caller's avatar: deletes the object, then clears the stored value unless another avatar has been uploaded
 * meanwhile. Does nothing without an avatar. Clears a legacy value without accessing the bucket. Throws `upstream`
 * `storage_unavailable` and leaves the stored value unchanged.
 */
export async function remove(actor: Actor, now: Date = Clock.now()): Promise<void> {
  const { avatar, name } = await db()
    .selectFrom("users")
    .select(["avatar", "name"])
    .where("id", "=", actor.userId)
    .executeTakeFirstOrThrow();
  if (avatar === "") return;
  const key = StoredValue.key(avatar);
  if (key) {
    // Imported here so that requests that do not reach the bucket need not wait for the S3 client to load.
    const { avatarBucket } = await import("./bucket.ts");
    await avatarBucket().remove(key);
  }
  await transaction(async (tx) => {
    const cleared = await tx
      .updateTable("users")
      .set({ avatar: "", updated_at: now })
      .where("id", "=", actor.userId)
      .where("avatar", "=", avatar)
      .returning("id")
      .executeTakeFirst();
    if (!cleared) return;
    const target = { type: "user", id: actor.userId, name } as const;
    const changes = { avatar: { before: avatar, after: "" } };
    await Event.record(tx, actor, { action: "user.avatar_removed", target, changes }, now);
  });
}
