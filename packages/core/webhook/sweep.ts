import { sql } from "kysely";
import * as Clock from "../base/clock.ts";
import { db } from "../platform/db/engine.ts";
import { log } from "../platform/log/log.ts";
import { perEndpoint } from "./consume.ts";
import { type DeliverOptions, deliver } from "./deliver.ts";
import { semaphore } from "./semaphore.ts";

/** Maximum number of deliveries started in one round. */
const perRound = 100;

/** Number of the oldest due deliveries from which a round selects. */
const window = 10_000;

/** Maximum wait for the endpoints of a round. The next round then starts without the pending ones. */
export const roundMs = 1000;

/** The number of attempts made, and of deliveries that failed with an error of this system. */
export type SweepResult = { attempted: number; failedHere: number };

/**
 * Attempts every due delivery: those that the queue lost or could not delay long enough, and those left after a crash or by a
 * busy endpoint. Starts no round after `budgetMs`. Skips slow endpoints until their pending requests finish.
 */
export async function sweep(budgetMs = 40_000, options: DeliverOptions = {}): Promise<SweepResult> {
  const endsAt = performance.now() + budgetMs;
  const result: SweepResult = { attempted: 0, failedHere: 0 };
  const endpoints = semaphore(1, roundMs, options.network?.timer);
  const failedEndpoints = new Set<string>();
  const batches: Promise<void>[] = [];

  async function attemptBatch(endpointId: string, deliveries: readonly DueDelivery[]): Promise<void> {
    const release = await endpoints.acquire(endpointId);
    await Promise.all(deliveries.map(attempt));
    release?.();
  }

  async function attempt({ id, endpointId }: DueDelivery): Promise<void> {
    try {
      if (await deliver(id, options)) result.attempted++;
    } catch (error) {
      result.failedHere++;
      // The delivery is still due, so without this the next round would find it again immediately.
      failedEndpoints.add(endpointId);
      log.error("delivery not attempted", { deliveryId: id, error: error as Error });
    }
  }

  async function waitUntilIdle(endpointId: string): Promise<void> {
    const release = await endpoints.acquire(endpointId);
    release?.();
  }

  while (performance.now() < endsAt) {
    const found = await due([...endpoints.heldKeys(), ...failedEndpoints]);
    const byEndpoint = Map.groupBy(found, ({ endpointId }) => endpointId);
    // With nothing to start, wait for the pending endpoints: they may have more deliveries.
    const awaited = byEndpoint.size > 0 ? [...byEndpoint.keys()] : endpoints.heldKeys();
    if (awaited.length === 0) break;
    for (const [endpointId, deliveries] of byEndpoint) batches.push(attemptBatch(endpointId, deliveries));
    await Promise.all(awaited.map(waitUntilIdle));
  }
  await Promise.all(batches);
  return result;
}

type DueDelivery = { id: string; endpointId: string };

/**
 * Selects the oldest due deliveries, at most `perEndpoint` of each endpoint. Reads only due rows: the index holds only
 * deliveries that have a next attempt.
 */
export function dueQuery(excludedEndpoints: readonly string[], now: Date) {
  const oldest = db()
    .selectFrom("webhook_deliveries")
    .select(["id", "endpoint_id as endpointId", "next_attempt_at as dueAt"])
    .where("next_attempt_at", "<=", now)
    .$if(excludedEndpoints.length > 0, (query) =>
      query.where("endpoint_id", "not in", [...excludedEndpoints]),
    )
    .orderBy("next_attempt_at")
    .limit(window);
  const ranked = db()
    .selectFrom(oldest.as("oldest"))
    .select([
      "id",
      "endpointId",
      "dueAt",
      sql<bigint>`row_number() over (partition by "endpointId" order by "dueAt")`.as("rank"),
    ]);
  return db()
    .selectFrom(ranked.as("ranked"))
    .select(["id", "endpointId"])
    .where("rank", "<=", BigInt(perEndpoint))
    .orderBy("dueAt")
    .limit(perRound);
}

function due(excludedEndpoints: readonly string[], now: Date = Clock.now()): Promise<DueDelivery[]> {
  return dueQuery(excludedEndpoints, now).execute();
}
