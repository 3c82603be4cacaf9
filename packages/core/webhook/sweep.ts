import * as Clock from "../base/clock.ts";
import { db } from "../platform/db/engine.ts";
import * as Call from "./call.ts";
import { claimMs, type Drained, type DrainOptions, drain } from "./drain.ts";

/** Maximum number of endpoints that a sweep delivers to at once. */
const maxEndpoints = 100;

/** Number of the oldest due deliveries from which a sweep selects endpoints. */
const window = 10_000;

/** How often a sweep looks for more endpoints while all that it delivers to are slow, in milliseconds. */
export const roundMs = 1000;

/**
 * Attempts every due delivery: those that the queue lost or could not delay long enough, and those left after a crash.
 * Claims no more deliveries after `budgetMs`. A slow endpoint does not delay the others.
 */
export async function sweep(budgetMs = 40_000, options: DrainOptions = {}): Promise<Drained> {
  const { network = Call.internet } = options;
  const endsAt = performance.now() + budgetMs;
  const result: Drained = { attempted: 0, failedHere: 0 };
  const running = new Map<string, Promise<void>>();
  /** Endpoints that others deliver to, and those whose deliveries failed with an error of this system. */
  const left = new Set<string>();

  async function deliver(endpointId: string): Promise<void> {
    const drained = await drain(endpointId, options, Math.min(claimMs, endsAt - performance.now()));
    const { attempted, failedHere } = await drained.finished;
    result.attempted += attempted;
    result.failedHere += failedHere;
    if (failedHere > 0 || drained.left === "crowded" || drained.left === "elsewhere") left.add(endpointId);
    running.delete(endpointId);
  }

  while (performance.now() < endsAt) {
    const found = await dueEndpoints([...running.keys(), ...left], maxEndpoints - running.size);
    for (const endpointId of found) running.set(endpointId, deliver(endpointId));
    if (running.size === 0) break;
    const round = Promise.withResolvers<void>();
    const cancel = network.timer(roundMs, round.resolve);
    await Promise.race([...running.values(), round.promise]);
    cancel();
  }
  await Promise.all(running.values());
  return result;
}

/**
 * Selects the endpoints of the oldest due deliveries. Reads only due rows: the index holds only deliveries that have a next
 * attempt.
 */
export function dueQuery(excludedEndpoints: readonly string[], limit: number, now: Date) {
  const oldest = db()
    .selectFrom("webhook_deliveries")
    .select(["endpoint_id as endpointId", "next_attempt_at as dueAt"])
    .where("next_attempt_at", "<=", now)
    .$if(excludedEndpoints.length > 0, (query) =>
      query.where("endpoint_id", "not in", [...excludedEndpoints]),
    )
    .orderBy("next_attempt_at")
    .limit(window);
  return db()
    .selectFrom(oldest.as("oldest"))
    .select("endpointId")
    .groupBy("endpointId")
    .orderBy(({ fn }) => fn.min("dueAt"))
    .limit(limit);
}

async function dueEndpoints(
  excludedEndpoints: readonly string[],
  limit: number,
  now: Date = Clock.now(),
): Promise<string[]> {
  const rows = await dueQuery(excludedEndpoints, limit, now).execute();
  return rows.map(({ endpointId }) => endpointId);
}
