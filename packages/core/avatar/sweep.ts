import * as z from "zod/mini";
import * as Clock from "../base/clock.ts";
import { db } from "../platform/db/engine.ts";
import { avatarBucket } from "./bucket.ts";
import * as ObjectKey from "./object-key.ts";
import * as StoredValue from "./stored-value.ts";

/** Younger objects may belong to an upload that has not committed yet. */
export const minAgeHours = 1;

const batchSize = 500;

export const Sweep = z.object({ dryRun: z.optional(z.boolean()) });
export type Sweep = z.infer<typeof Sweep>;

/** `orphans` were removed, or in a dry run would have been; `foreign` keys are none of ours and stay. */
export type Swept = { dryRun: boolean; examined: number; foreign: number; orphans: string[] };

type Owned = { key: string; userId: string };

/**
 * Remove objects that are older than an hour and that no user's picture points to. Keys are never used again, so an
 * orphan cannot become anybody's picture between the look and the removal.
 */
export async function sweep({ dryRun = false }: Sweep, now: Date = Clock.now()): Promise<Swept> {
  const swept: Swept = { dryRun, examined: 0, foreign: 0, orphans: [] };
  const before = now.getTime() - minAgeHours * 3_600_000;
  let batch: Owned[] = [];
  const flush = async () => {
    const orphans = await unreferenced(batch);
    batch = [];
    for (const key of orphans) if (!dryRun) await avatarBucket().remove(key);
    swept.orphans.push(...orphans);
  };
  for await (const { key, lastModified } of avatarBucket().list("avatars/")) {
    swept.examined++;
    const parts = ObjectKey.parse(key);
    if (!parts) swept.foreign++;
    else if (lastModified.getTime() < before) batch.push({ key, userId: parts.userId });
    if (batch.length === batchSize) await flush();
  }
  if (batch.length > 0) await flush();
  return swept;
}

async function unreferenced(batch: readonly Owned[]): Promise<string[]> {
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
