import * as z from "zod/mini";
import * as ObjectKey from "../avatar/object-key.ts";
import { removeOf as removeAvatarOf } from "../avatar/remove.ts";
import * as StoredValue from "../avatar/stored-value.ts";
import * as Clock from "../base/clock.ts";
import * as Erasure from "../event/erasure.ts";
import { db } from "../platform/db/engine.ts";
import * as JobCursor from "../platform/db/job-cursor.ts";
import { log } from "../platform/log/log.ts";
import { filesBucket } from "../report/bucket.ts";
import { removeAgain } from "./delete-account.ts";

/** Records that are examined at once. */
const batchSize = 500;

export const ReapplyInput = z.object({ dryRun: z.optional(z.boolean()) });
export type ReapplyInput = z.infer<typeof ReapplyInput>;

/**
 * `accounts` were deleted and the avatars of `avatars` were removed, or would be without `dryRun`; both list user ids.
 * `finished` is false if the time ran out; the next run continues.
 */
export type Reapplied = {
  dryRun: boolean;
  records: number;
  accounts: string[];
  avatars: string[];
  finished: boolean;
};

type User = { id: string; name: string; avatar: string };

/**
 * Applies the recorded erasures to a restored database: deletes accounts as their owners did, and removes avatars with their
 * objects. What is already erased stays as it is, so all records are examined and the job may run at any time. An erasure
 * that fails is logged and does not stop the others; its error is thrown at the end.
 */
export async function reapply(
  { dryRun = false }: ReapplyInput,
  { requestId, remainingMs }: { requestId: string; remainingMs: () => number },
  now: Date = Clock.now(),
): Promise<Reapplied> {
  const by = { job: "reapply-erasures", requestId };
  const hasTime = JobCursor.withinShare(0.9, remainingMs);
  const result: Reapplied = { dryRun, records: 0, accounts: [], avatars: [], finished: true };
  let failure: unknown;
  for await (const batch of batches()) {
    result.records += batch.length;
    for (const { user, account } of await unapplied(batch)) {
      result.finished = hasTime();
      if (!result.finished) break;
      try {
        if (!dryRun) await (account ? removeAgain(user.id, by, now) : removeAvatarOf(by, user, now));
        (account ? result.accounts : result.avatars).push(user.id);
      } catch (error) {
        failure ??= error;
        log.error("erasure not applied", { userId: user.id, error: error as Error });
      }
    }
    if (!result.finished) break;
  }
  if (failure) throw failure;
  return result;
}

/** Reads the records in batches, oldest first. */
async function* batches(): AsyncGenerator<Erasure.Erased[]> {
  let batch: Erasure.Erased[] = [];
  for await (const { key } of filesBucket().list(Erasure.recordPrefix)) {
    const erased = Erasure.parse(key);
    if (erased) batch.push(erased);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Returns the users whose account still exists, or whose avatar is still the erased one. */
async function unapplied(batch: readonly Erasure.Erased[]): Promise<{ user: User; account: boolean }[]> {
  const ids = [...new Set(batch.map(userIdOf))];
  const rows = await db()
    .selectFrom("users")
    .select(["id", "name", "avatar"])
    .where("id", "in", ids)
    .where("deleted_at", "is", null)
    .execute();
  const users = new Map(rows.map((user) => [user.id, user]));
  const accounts = new Set(batch.flatMap((erased) => ("account" in erased ? erased.account : [])));
  const avatars = new Set(
    batch.filter((erased) => hasErasedAvatar(users.get(userIdOf(erased)), erased)).map(userIdOf),
  );
  return rows
    .filter(({ id }) => accounts.has(id) || avatars.has(id))
    .map((user) => ({ user, account: accounts.has(user.id) }));
}

function userIdOf(erased: Erasure.Erased): string {
  if ("account" in erased) return erased.account;
  return "avatarKey" in erased ? (ObjectKey.parse(erased.avatarKey)?.userId ?? "") : erased.legacyAvatarOf;
}

/** Returns whether the user has the erased avatar. Uploads create only objects, so a value of the older format is the erased one. */
function hasErasedAvatar(user: User | undefined, erased: Erasure.Erased): boolean {
  if (!user || "account" in erased) return false;
  if ("avatarKey" in erased) return user.avatar === StoredValue.fromKey(erased.avatarKey);
  return user.avatar !== "" && StoredValue.key(user.avatar) === undefined;
}
