import { createHash } from "node:crypto";
import { sql } from "kysely";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { invalidWithCode } from "../../base/invalid.ts";
import { deleteInBatches } from "../db/delete-in-batches.ts";
import { transaction } from "../db/transaction.ts";
import { log } from "../log/log.ts";

/** How long the result of a call is kept for its key. */
export const retentionHours = 24;

/** An unfinished call of this age has crashed, because no call may take longer than 30 seconds. */
const abandonedAfterSeconds = 60;

/** A call with an idempotency key. */
export type IdempotentCall = {
  userId: string;
  key: string;
  /** Hash of the route, parameters and body. Reusing a key with another fingerprint is an error. */
  fingerprint: string;
};

/** Hashes the parts of a call to its fingerprint. */
export function fingerprint(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest("base64url");
}

/**
 * Runs `work` once per key and returns its stored result for 24 hours afterwards. Only success is stored; after a failure the
 * same key runs the work again. The result must be plain JSON without signed URLs. Throws `invalid`
 * `idempotency_key_reused`, and `conflict` `idempotency_in_progress` while the first call is running.
 */
export async function once<T>(
  call: IdempotentCall,
  work: () => Promise<T>,
  now: Date = Clock.now(),
): Promise<{ result: T; replayed: boolean }> {
  const stored = await begin(call, now);
  if (stored) return { result: stored.value as T, replayed: true };
  let result: T;
  try {
    result = await work();
  } catch (error) {
    await remove(call, now).catch(() => undefined);
    throw error;
  }
  try {
    // The stored form, because it has another order of members: a replay must have the same bytes.
    const stored = await complete(call, now, result);
    return { result: stored ? (stored.value as T) : result, replayed: false };
  } catch (error) {
    // The work is done. Failing here would make the caller repeat it.
    log.warn("idempotent result not stored", { userId: call.userId, error: error as Error });
    return { result, replayed: false };
  }
}

async function begin(call: IdempotentCall, now: Date): Promise<{ value: unknown } | undefined> {
  return transaction(async (tx) => {
    const row = await tx
      .selectFrom("idempotent_calls")
      .selectAll()
      .where("user_id", "=", call.userId)
      .where("key", "=", call.key)
      .executeTakeFirst();
    const age = row ? now.getTime() - row.started_at.getTime() : 0;
    const abandoned = row?.completed_at === null && age > abandonedAfterSeconds * 1000;
    if (row && age < retentionHours * 3_600_000 && !abandoned) {
      if (row.fingerprint !== call.fingerprint)
        throw invalidWithCode(
          { parameter: "Idempotency-Key" },
          "idempotency_key_reused",
          "This Idempotency-Key was used for another request. Use a new key.",
        );
      if (row.completed_at === null)
        throw new Fault(
          "conflict",
          "idempotency_in_progress",
          "The first request with this Idempotency-Key is still running. Try again in a moment.",
          { retryAfterSeconds: 1 },
        );
      return { value: row.result?.value };
    }
    const fresh = { fingerprint: call.fingerprint, started_at: now, completed_at: null, result: null };
    await tx
      .insertInto("idempotent_calls")
      .values({ user_id: call.userId, key: call.key, ...fresh })
      .onConflict((conflict) => conflict.columns(["user_id", "key"]).doUpdateSet({ ...fresh }))
      .execute();
    return undefined;
  });
}

/** Stores the result of a call, and returns it as it is read for a replay. */
async function complete(
  call: IdempotentCall,
  startedAt: Date,
  value: unknown,
): Promise<{ value?: unknown } | undefined> {
  const row = await transaction((tx) =>
    tx
      .updateTable("idempotent_calls")
      .set({ completed_at: Clock.now(), result: JSON.stringify({ value }) })
      .where("user_id", "=", call.userId)
      .where("key", "=", call.key)
      .where("started_at", "=", startedAt)
      .returning("result")
      .executeTakeFirst(),
  );
  return row?.result ?? undefined;
}

async function remove(call: IdempotentCall, startedAt: Date): Promise<void> {
  await transaction((tx) =>
    tx
      .deleteFrom("idempotent_calls")
      .where("user_id", "=", call.userId)
      .where("key", "=", call.key)
      .where("started_at", "=", startedAt)
      .execute(),
  );
}

/** Deletes results older than 24 hours. Returns the number of deleted rows. */
export function purge(now: Date = Clock.now()): Promise<number> {
  const before = new Date(now.getTime() - retentionHours * 3_600_000);
  return deleteInBatches("idempotent_calls", ["user_id", "key"], sql`started_at < ${before}`);
}
