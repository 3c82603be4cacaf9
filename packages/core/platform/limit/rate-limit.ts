import { sql } from "kysely";
import * as Clock from "../../base/clock.ts";
import * as Config from "../config/config.ts";
import { deleteInBatches } from "../db/delete-in-batches.ts";
import { db } from "../db/engine.ts";

/** The state of a limit after a call was counted. */
export type Quota = {
  limit: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
  exceeded: boolean;
};

/** Receives the state of each limit that a call was counted against, so that its response can show them. */
export type Report = (name: Config.RateLimitName, quota: Quota) => void;

/**
 * Counts one call of `subject` against a limit with fixed windows. Returns undefined when limits are off. Writes outside any
 * transaction and throws the database's errors, so the caller decides whether the limit fails open or closed.
 */
export async function consume(
  name: Config.RateLimitName,
  subject: string,
  now: Date = Clock.now(),
): Promise<Quota | undefined> {
  const rule = Config.rateLimit(name);
  if (!rule) return undefined;
  const { limit, windowSeconds } = rule;
  const windowMs = windowSeconds * 1000;
  const startedAt = new Date(Math.floor(now.getTime() / windowMs) * windowMs);
  const endsAt = new Date(startedAt.getTime() + windowMs);
  const { calls } = await db()
    .insertInto("rate_counters")
    .values({ subject: `${name}:${subject}`, window_started_at: startedAt, calls: 1, expires_at: endsAt })
    .onConflict((conflict) =>
      conflict.columns(["subject", "window_started_at"]).doUpdateSet({ calls: sql`rate_counters.calls + 1` }),
    )
    .returning("calls")
    .executeTakeFirstOrThrow();
  return {
    limit,
    windowSeconds,
    remaining: Math.max(0, limit - calls),
    resetSeconds: Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / 1000)),
    exceeded: calls > limit,
  };
}

/** Deletes expired windows. Returns the number of deleted rows. */
export function purge(now: Date = Clock.now()): Promise<number> {
  return deleteInBatches("rate_counters", ["subject", "window_started_at"], sql`expires_at < ${now}`);
}
