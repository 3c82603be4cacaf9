import { sql } from "kysely";
import * as Clock from "../base/clock.ts";
import { db } from "../platform/db/engine.ts";
import { log } from "../platform/log/log.ts";
import * as Call from "./call.ts";
import { perEndpoint } from "./consume.ts";
import { deliver, type Seams } from "./deliver.ts";

/** How many deliveries are begun together. */
const perRound = 100;

/** Of the oldest so many that are due, those of each endpoint are chosen. */
const window = 10_000;

/** How long a round waits for the slow ones before it goes on without their endpoints. */
export const roundMs = 1000;

export type Swept = { attempted: number; failedHere: number };

/**
 * Attempt whatever is due: lost by the queue, delayed beyond it, left by a crash or by a crowded endpoint. Begins nothing
 * after `budgetMs`. An endpoint that holds up a round is gone on without, until it has answered.
 */
export async function sweep(budgetMs = 40_000, seams: Seams = {}): Promise<Swept> {
  const endsAt = performance.now() + budgetMs;
  const swept: Swept = { attempted: 0, failedHere: 0 };
  const busy = new Map<string, number>();
  const all = new Set<Promise<void>>();
  const { timer } = seams.network ?? Call.internet;

  function begin({ id, endpointId }: Due): Promise<void> {
    busy.set(endpointId, (busy.get(endpointId) ?? 0) + 1);
    const work = deliver(id, seams)
      .then((attempted) => {
        if (attempted) swept.attempted++;
        const others = (busy.get(endpointId) ?? 1) - 1;
        if (others === 0) busy.delete(endpointId);
        else busy.set(endpointId, others);
      })
      // Its endpoint stays busy: the delivery is still due, and would be found again at once.
      .catch((error: Error) => {
        swept.failedHere++;
        log.error("delivery not attempted", { deliveryId: id, error });
      })
      .finally(() => all.delete(work));
    all.add(work);
    return work;
  }

  while (performance.now() < endsAt) {
    const found = await due([...busy.keys()]);
    const begun = found.map(begin);
    if (all.size === 0) break;
    // With nothing to begin, those at work are waited for: their endpoints may have more.
    const late = Promise.withResolvers<void>();
    const cancel = timer(roundMs, late.resolve);
    await Promise.race([Promise.all(begun.length > 0 ? begun : all), late.promise]);
    cancel();
  }
  await Promise.all(all);
  return swept;
}

type Due = { id: string; endpointId: string };

/** Deliveries that are due, at most ten of each endpoint. Reads no others: the index holds only what has a next attempt. */
export function dueQuery(excluded: readonly string[], now: Date) {
  const oldest = db()
    .selectFrom("webhook_deliveries")
    .select(["id", "endpoint_id as endpointId", "next_attempt_at as dueAt"])
    .where("next_attempt_at", "<=", now)
    .$if(excluded.length > 0, (query) => query.where("endpoint_id", "not in", [...excluded]))
    .orderBy("next_attempt_at")
    .limit(window);
  const placed = db()
    .selectFrom(oldest.as("oldest"))
    .select([
      "id",
      "endpointId",
      "dueAt",
      sql<bigint>`row_number() over (partition by "endpointId" order by "dueAt")`.as("place"),
    ]);
  return db()
    .selectFrom(placed.as("placed"))
    .select(["id", "endpointId"])
    .where("place", "<=", BigInt(perEndpoint))
    .orderBy("dueAt")
    .limit(perRound);
}

function due(excluded: readonly string[], now: Date = Clock.now()): Promise<Due[]> {
  return dueQuery(excluded, now).execute();
}
