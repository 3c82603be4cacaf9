import * as Erasure from "../event/erasure.ts";
import * as Event from "../event/event.ts";
import { transaction } from "../platform/db/transaction.ts";
import { changed } from "../platform/db/version.ts";
import * as StoredValue from "./stored-value.ts";

/** Clears a user's stored value, and records the event and the erasure, unless the value has changed meanwhile. */
export async function clear(
  by: Event.EventActor,
  { id, name, avatar }: { id: string; name: string; avatar: string },
  now: Date,
): Promise<void> {
  await transaction(async (tx) => {
    const cleared = await tx
      .updateTable("users")
      .set({ avatar: "", avatar_placeholder: null, ...changed(now) })
      .where("id", "=", id)
      .where("avatar", "=", avatar)
      .returning("id")
      .executeTakeFirst();
    if (!cleared) return;
    const target = { type: "user", id, name } as const;
    const changes = { avatar: { before: avatar, after: "" } };
    await Event.record(tx, by, { action: "user.avatar_removed", target, changes }, now);
    await Erasure.note(tx, erased(id, avatar), now);
  });
}

function erased(userId: string, avatar: string): Erasure.Erased {
  const avatarKey = StoredValue.key(avatar);
  return avatarKey ? { avatarKey } : { legacyAvatarOf: userId };
}
