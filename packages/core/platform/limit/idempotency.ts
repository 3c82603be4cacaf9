import { createHash } from "node:crypto";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { db } from "../db/engine.ts";
import { transaction } from "../db/transaction.ts";
import { log } from "../log/log.ts";

/** How long an answer is kept for the same key. */
export const keptHours = 24;

/** A call that has not finished after this long has died: no call may take longer than thirty seconds. */
const abandonedAfterSeconds = 60;

export type Call = {
  userId: string;
  key: string;
  /** What was asked: route, parameters and content. Another one under the same key is a mistake of the caller. */
  fingerprint: string;
};

/** The fingerprint of a call. */
export function fingerprint(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest("base64url");
}

/**
 * Do the work once for this key and answer its result again for 24 hours. Only success is kept: after a failure the same
 * key runs the work again. The result must be plain JSON, and without anything signed. Throws 422
 * `idempotency_key_reused`, and 409 `idempotency_in_progress` while the first call still runs.
 */
export async function once<T>(
  call: Call,
  work: () => Promise<T>,
  now: Date = Clock.now(),
): Promise<{ result: T; replayed: boolean }> {
  const before = await begin(call, now);
  if (before) return { result: before.value as T, replayed: true };
  let result: T;
  try {
    result = await work();
  } catch (error) {
    await forget(call, now).catch(() => undefined);
    throw error;
  }
  // It is done: a caller who is told otherwise would have it done again.
  await complete(call, now, result).catch((error: unknown) => {
    log.warn("result not kept", { userId: call.userId, error: error as Error });
  });
  return { result, replayed: false };
}

async function begin(call: Call, now: Date): Promise<{ value: unknown } | undefined> {
  return transaction(async (tx) => {
    const row = await tx
      .selectFrom("idempotent_calls")
      .selectAll()
      .where("user_id", "=", call.userId)
      .where("key", "=", call.key)
      .executeTakeFirst();
    const age = row ? now.getTime() - row.started_at.getTime() : 0;
    const abandoned = row?.completed_at === null && age > abandonedAfterSeconds * 1000;
    if (row && age < keptHours * 3_600_000 && !abandoned) {
      if (row.fingerprint !== call.fingerprint)
        throw new Fault(
          "invalid",
          "idempotency_key_reused",
          "This Idempotency-Key was used for another request. Use a new one.",
          {
            errors: [
              {
                parameter: "Idempotency-Key",
                code: "idempotency_key_reused",
                detail: "Used for another request.",
              },
            ],
          },
        );
      if (row.completed_at === null)
        throw new Fault(
          "conflict",
          "idempotency_in_progress",
          "The first request with this Idempotency-Key is still running. Ask again in a moment.",
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

async function complete(call: Call, startedAt: Date, value: unknown): Promise<void> {
  await transaction((tx) =>
    tx
      .updateTable("idempotent_calls")
      .set({ completed_at: Clock.now(), result: JSON.stringify({ value }) })
      .where("user_id", "=", call.userId)
      .where("key", "=", call.key)
      .where("started_at", "=", startedAt)
      .execute(),
  );
}

async function forget(call: Call, startedAt: Date): Promise<void> {
  await transaction((tx) =>
    tx
      .deleteFrom("idempotent_calls")
      .where("user_id", "=", call.userId)
      .where("key", "=", call.key)
      .where("started_at", "=", startedAt)
      .execute(),
  );
}

/** Forget answers that are older than a day. Answers how many rows went. */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const before = new Date(now.getTime() - keptHours * 3_600_000);
  const gone = await db().deleteFrom("idempotent_calls").where("started_at", "<", before).executeTakeFirst();
  return Number(gone.numDeletedRows);
}
