import * as z from "zod/mini";
import { db } from "../platform/db/engine.ts";
import * as JobCursor from "../platform/db/job-cursor.ts";
import { transaction } from "../platform/db/transaction.ts";
import { log } from "../platform/log/log.ts";
import { avatarBucket, putPicture } from "./bucket.ts";
import { reduce } from "./image.ts";
import * as ObjectKey from "./object-key.ts";
import * as Placeholder from "./placeholder.ts";
import * as Avatar from "./resolve.ts";
import * as StoredValue from "./stored-value.ts";

/** Users that are read at once. */
const batchSize = 500;

/** Pictures that are made at once. One is decoded at a time, while the others wait for the bucket and the database. */
const concurrency = 8;

const cursor = "make-small-avatars";

export const MakeSmallInput = z.object({ dryRun: z.optional(z.boolean()) });
export type MakeSmallInput = z.infer<typeof MakeSmallInput>;

/**
 * `made` small objects exist now, or would without `dryRun`. `replaced` avatars were changed or removed meanwhile. `failed` ones
 * could not be read or stored, and stay without a small object. `finished` is false if the time ran out; the next run continues.
 */
export type MadeSmall = {
  dryRun: boolean;
  made: number;
  replaced: number;
  failed: number;
  finished: boolean;
};

type User = { id: string } & Avatar.StoredAvatar;

/**
 * Makes the small object and the placeholder of avatars that were uploaded before small objects existed. Puts the object before
 * it marks the row, so a run may end at any point and be repeated.
 */
export async function makeSmall(
  { dryRun = false }: MakeSmallInput,
  { requestId, remainingMs }: { requestId: string; remainingMs: () => number },
): Promise<MadeSmall> {
  const hasTime = JobCursor.withinShare(0.9, remainingMs);
  const result: MadeSmall = { dryRun, made: 0, replaced: 0, failed: 0, finished: false };
  let after = dryRun ? "" : await JobCursor.load(cursor);
  while (hasTime()) {
    const users = await usersAfter(after);
    const waiting = users.filter(lacksSmall);
    for (let start = 0; start < waiting.length && hasTime(); start += concurrency) {
      const some = waiting.slice(start, start + concurrency);
      for (const outcome of await Promise.all(some.map((user) => (dryRun ? "made" : make(user, requestId)))))
        result[outcome]++;
      after = some.at(-1)?.id ?? after;
    }
    if (!hasTime()) break;
    after = users.at(-1)?.id ?? after;
    result.finished = users.length < batchSize;
    if (result.finished) break;
  }
  if (!dryRun) await JobCursor.store(cursor, result.finished ? "" : after);
  return result;
}

function usersAfter(id: string): Promise<User[]> {
  return db()
    .selectFrom("users")
    .select(["id", ...Avatar.columns])
    .where("id", ">", id)
    .where("avatar", "like", `${StoredValue.prefix}%`)
    .orderBy("id")
    .limit(batchSize)
    .execute();
}

function lacksSmall({ avatar, avatarPlaceholder }: User): boolean {
  const key = StoredValue.key(avatar);
  return key !== undefined && Placeholder.ofObject(avatarPlaceholder, key) === "";
}

async function make({ id, avatar }: User, requestId: string): Promise<"made" | "replaced" | "failed"> {
  const key = StoredValue.key(avatar) ?? "";
  const smallKey = ObjectKey.small(key);
  try {
    const small = await reduce(await avatarBucket().get(key));
    await putPicture(smallKey, small.buffer);
    if (await mark(id, avatar, Placeholder.toStored(key, small.thumbHash))) return "made";
    await avatarBucket().remove(smallKey);
    return "replaced";
  } catch (error) {
    log.error("small avatar not made", { requestId, key, error: error as Error });
    return "failed";
  }
}

/** Stores the placeholder unless the avatar has changed. Not a change by the user, so the version of the profile stays. */
async function mark(id: string, avatar: string, placeholder: string): Promise<boolean> {
  const marked = await transaction((tx) =>
    tx
      .updateTable("users")
      .set({ avatar_placeholder: placeholder })
      .where("id", "=", id)
      .where("avatar", "=", avatar)
      .returning("id")
      .executeTakeFirst(),
  );
  return marked !== undefined;
}
