import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import * as Event from "../event/event.ts";
import { db } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import * as StoredValue from "./stored-value.ts";

/**
 * Take the caller's picture away: the object first, by its raw key, then the value, and the value only if it is still
 * the one whose object went, so that a picture uploaded meanwhile stays. Without a picture nothing happens; a legacy
 * value is cleared without the bucket. Throws 502 `storage_unavailable`, and then the value stays.
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
    // Whoever is refused, or has no picture, does not wait for the S3 client to load.
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
