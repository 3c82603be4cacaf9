import { sql } from "kysely";
import * as Clock from "../../base/clock.ts";
import * as Config from "../config/config.ts";
import { db } from "../db/engine.ts";

export type Quota = {
  limit: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
  exceeded: boolean;
};

/**
 * Count one call of `subject` against a limit, in a fixed window; undefined when limits are switched off. A short write of
 * its own, outside every transaction: throws whatever the database throws, and the caller decides whether that closes
 * the door.
 */
export async function take(
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

/** Forget windows that are over. Answers how many rows went. */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const gone = await db().deleteFrom("rate_counters").where("expires_at", "<", now).executeTakeFirst();
  return Number(gone.numDeletedRows);
}
