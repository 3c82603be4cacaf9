import * as z from "zod/mini";
import * as Clock from "../base/clock.ts";
import { db } from "../platform/db/engine.ts";
import { avatarBucket } from "./bucket.ts";
import * as ObjectKey from "./object-key.ts";
import * as StoredValue from "./stored-value.ts";

/** Minimum age of an object to be deleted: a younger one may belong to an upload that has not committed yet. */
export const minAgeHours = 1;

const batchSize = 500;

export const SweepInput = z.object({ dryRun: z.optional(z.boolean()) });
export type SweepInput = z.infer<typeof SweepInput>;

/** `orphans` were deleted, or would be without `dryRun`. `foreign` counts keys of another format, which are never deleted. */
export type SweepResult = { dryRun: boolean; examined: number; foreign: number; orphans: string[] };

type ObjectOfUser = { key: string; userId: string };

/**
 * Deletes objects older than `minAgeHours` that no user's avatar refers to. Keys are never reused, so an orphan cannot become
 * an avatar between check and deletion.
 */
export async function sweep({ dryRun = false }: SweepInput, now: Date = Clock.now()): Promise<SweepResult> {
  const result: SweepResult = { dryRun, examined: 0, foreign: 0, orphans: [] };
  const before = now.getTime() - minAgeHours * 3_600_000;
  let batch: ObjectOfUser[] = [];
  const flush = async () => {
    const orphans = await unreferenced(batch);
    batch = [];
    for (const key of orphans) if (!dryRun) await avatarBucket().remove(key);
    result.orphans.push(...orphans);
  };
  for await (const { key, lastModified } of avatarBucket().list("avatars/")) {
    result.examined++;
    const parts = ObjectKey.parse(key);
    if (!parts) result.foreign++;
    else if (lastModified.getTime() < before) batch.push({ key, userId: parts.userId });
    if (batch.length === batchSize) await flush();
  }
  if (batch.length > 0) await flush();
  return result;
}

async function unreferenced(batch: readonly ObjectOfUser[]): Promise<string[]> {
  const rows = await db()
    .selectFrom("users")
    .select(["id", "avatar"])
    .where("id", "in", [...new Set(batch.map(({ userId }) => userId))])
    .execute();
  const current = new Map(rows.map(({ id, avatar }) => [id, avatar]));
  return batch
    .filter(({ key, userId }) => current.get(userId) !== StoredValue.fromKey(key))
    .map(({ key }) => key);
}
