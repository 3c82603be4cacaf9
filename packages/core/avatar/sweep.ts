import * as z from "zod/mini";
import * as Clock from "../base/clock.ts";
import { db } from "../platform/db/engine.ts";
import * as JobCursor from "../platform/db/job-cursor.ts";
import { transaction } from "../platform/db/transaction.ts";
import { log } from "../platform/log/log.ts";
import { avatarBucket } from "./bucket.ts";
import * as ObjectKey from "./object-key.ts";
import * as Placeholder from "./placeholder.ts";
import { removeOf } from "./remove.ts";
import * as Avatar from "./resolve.ts";
import * as StoredValue from "./stored-value.ts";

/**
 * Minimum age of an object to be deleted, and of the key in a stored value to be cleared: a younger one may belong to an
 * upload that has not committed yet.
 */
export const minAgeHours = 1;

/** Objects, or users, that are examined at once. */
const batchSize = 500;

/** Concurrent requests to the bucket. */
const concurrency = 20;

/** Number of keys that a result lists. The response of a function has at most 6 MB. */
const maxListed = 10_000;

/** Number of values that a run clears in any case. Above it, at most one in a hundred of the values it looked at. */
const alwaysCleared = 20;

export const SweepInput = z.object({ dryRun: z.optional(z.boolean()) });
export type SweepInput = z.infer<typeof SweepInput>;

/** The invocation of a sweep: the id of its events, and the time that is left of it. */
export type SweepRun = { requestId: string; remainingMs: () => number };

/**
 * `orphans` were deleted and the avatars of `missing` were cleared, or would be without `dryRun`; both list at most
 * `maxListed` keys. `foreign` counts keys of another format, which are never deleted. `missingSmallCount` counts avatars
 * without their small object, which are shown large from then on; `make-small-avatars` makes it again. `finished` is false if
 * the time ran out; the next run continues.
 */
export type SweepResult = {
  dryRun: boolean;
  examined: number;
  foreign: number;
  orphanCount: number;
  orphans: string[];
  values: number;
  missingCount: number;
  missing: string[];
  missingSmallCount: number;
  finished: boolean;
};

/** An object of a user, and the key of the large object of the same picture. */
type ObjectOfUser = { key: string; large: string; userId: string };
type StoredAvatar = { id: string; name: string; avatar: string; avatarPlaceholder: string | null };

/**
 * Deletes objects older than `minAgeHours` that belong to no user's avatar, and clears avatars whose object does not exist.
 * Keys are never reused, so an orphan cannot become an avatar between check and deletion. Throws, and clears nothing, if
 * more avatars are without an object than a crash now and then explains, and `upstream` `storage_unavailable`.
 */
export async function sweep(
  { dryRun = false }: SweepInput,
  { requestId, remainingMs }: SweepRun,
  now: Date = Clock.now(),
): Promise<SweepResult> {
  const result: SweepResult = {
    dryRun,
    examined: 0,
    foreign: 0,
    orphanCount: 0,
    orphans: [],
    values: 0,
    missingCount: 0,
    missing: [],
    missingSmallCount: 0,
    finished: true,
  };
  const before = now.getTime() - minAgeHours * 3_600_000;
  const [half, most] = [JobCursor.withinShare(0.5, remainingMs), JobCursor.withinShare(0.9, remainingMs)];
  await sweepObjects(result, before, half);
  const missing = await findMissing(result, before, most);
  if (dryRun) return result;
  if (missing.users.length > Math.max(alwaysCleared, result.values / 100)) {
    log.error("avatars not cleared", { values: result.values, missing: missing.users.length });
    throw new Error("Too many avatars are without an object. The bucket may be incomplete.");
  }
  for (const user of missing.users) await removeOf({ job: "sweep-avatars", requestId }, user, now);
  for (const user of missing.withoutSmall) await forgetSmall(user);
  await JobCursor.store("sweep-avatars:values", missing.next);
  return result;
}

/** Deletes the orphans among the objects, as far as there is time. */
async function sweepObjects(result: SweepResult, before: number, hasTime: () => boolean): Promise<void> {
  const cursor = "sweep-avatars:objects";
  let last = result.dryRun ? "" : await JobCursor.load(cursor);
  let batch: ObjectOfUser[] = [];
  const flush = async () => {
    const orphans = await unreferenced(batch);
    batch = [];
    if (!result.dryRun) await avatarBucket().removeAll(orphans);
    result.orphanCount += orphans.length;
    result.orphans.push(...orphans.slice(0, maxListed - result.orphans.length));
  };
  for await (const { key, lastModified } of objectsAfter(last)) {
    last = key;
    result.examined++;
    const large = ObjectKey.large(key);
    const parts = ObjectKey.parse(large);
    if (!parts) result.foreign++;
    else if (lastModified.getTime() < before) batch.push({ key, large, userId: parts.userId });
    if (result.examined % batchSize !== 0) continue;
    await flush();
    result.finished = hasTime();
    if (!result.finished) break;
  }
  await flush();
  if (!result.dryRun) await JobCursor.store(cursor, result.finished ? "" : last);
}

/** Lists the objects of both sizes in the order of their keys. */
async function* objectsAfter(key: string) {
  for (const prefix of [ObjectKey.smallPrefix, ObjectKey.largePrefix])
    yield* avatarBucket().list(prefix, key);
}

/**
 * Returns the keys of the objects whose picture is no user's avatar. A small object of a current avatar is none, even if the row
 * does not mark it: `make-small-avatars` puts it first.
 */
async function unreferenced(batch: readonly ObjectOfUser[]): Promise<string[]> {
  if (batch.length === 0) return [];
  const rows = await db()
    .selectFrom("users")
    .select(["id", "avatar"])
    .where("id", "in", [...new Set(batch.map(({ userId }) => userId))])
    .execute();
  const current = new Map(rows.map(({ id, avatar }) => [id, avatar]));
  return batch
    .filter(({ large, userId }) => current.get(userId) !== StoredValue.fromKey(large))
    .map(({ key }) => key);
}

/** Users whose avatar has no object, those whose avatar has no small object, and the user after whom the next run continues. */
type Missing = { users: StoredAvatar[]; withoutSmall: StoredAvatar[]; next: string };

/**
 * Returns the users whose avatar has no object in the bucket, as far as there is time. A process that dies between the steps of a
 * removal leaves such a value.
 */
async function findMissing(result: SweepResult, before: number, hasTime: () => boolean): Promise<Missing> {
  const found: Missing = { users: [], withoutSmall: [], next: "" };
  let after = result.dryRun ? "" : await JobCursor.load("sweep-avatars:values");
  while (hasTime()) {
    const users = await avatarsAfter(after);
    const old = users.filter(({ avatar }) => isOlder(avatar, before));
    for (let start = 0; start < old.length; start += concurrency) {
      const some = old.slice(start, start + concurrency);
      const absent = await Promise.all(some.map(missingObject));
      found.users.push(...some.filter((_, at) => absent[at] === "large"));
      found.withoutSmall.push(...some.filter((_, at) => absent[at] === "small"));
    }
    result.values += old.length;
    after = users.at(-1)?.id ?? after;
    if (users.length === batchSize) continue;
    list(result, found);
    return found;
  }
  list(result, found);
  result.finished = false;
  return { ...found, next: after };
}

function list(result: SweepResult, { users, withoutSmall }: Missing): void {
  result.missingCount = users.length;
  result.missing = users.slice(0, maxListed).map(({ avatar }) => StoredValue.key(avatar) ?? "");
  result.missingSmallCount = withoutSmall.length;
}

function avatarsAfter(id: string): Promise<StoredAvatar[]> {
  return db()
    .selectFrom("users")
    .select(["id", "name", ...Avatar.columns])
    .where("id", ">", id)
    .where("avatar", "like", `${StoredValue.prefix}%`)
    .orderBy("id")
    .limit(batchSize)
    .execute();
}

/** Returns whether the stored value has a valid key from before this time. */
function isOlder(avatar: string, before: number): boolean {
  const parts = ObjectKey.parse(StoredValue.key(avatar) ?? "");
  return parts !== undefined && parts.unixTimestampMs < before;
}

/** Returns the object of an avatar for which the bucket answers 404, if one is missing. Throws for any other failure. */
async function missingObject({
  avatar,
  avatarPlaceholder,
}: StoredAvatar): Promise<"large" | "small" | undefined> {
  const key = StoredValue.key(avatar);
  if (key === undefined) return undefined;
  const isMissing = async (key: string) => (await avatarBucket().head(key)) === undefined;
  if (await isMissing(key)) return "large";
  const hasSmall = Placeholder.ofObject(avatarPlaceholder, key) !== "";
  return hasSmall && (await isMissing(ObjectKey.small(key))) ? "small" : undefined;
}

/** Removes the mark that the small object exists. Not a change by the user, so the version of the profile stays. */
async function forgetSmall({ id, avatarPlaceholder }: StoredAvatar): Promise<void> {
  await transaction((tx) =>
    tx
      .updateTable("users")
      .set({ avatar_placeholder: null })
      .where("id", "=", id)
      .where("avatar_placeholder", "=", avatarPlaceholder)
      .execute(),
  );
}
