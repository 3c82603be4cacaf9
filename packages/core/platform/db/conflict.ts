import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "../../base/fault.ts";
import { sqlState } from "./sql-state.ts";

/** How often what lost a race is run again before the caller is told to come back. */
export const maxAttempts = 12;

export type Retrying = { wait?: (milliseconds: number) => Promise<unknown>; random?: () => number };

/** Serialization failure, which DSQL reports for every conflict, and PostgreSQL's deadlock: run the whole thing again. */
const lost = new Set(["40001", "40P01"]);

/**
 * Run this until it loses no race against another writer, waiting a little longer each time. Throws 503
 * `database_conflict` when it never wins.
 */
export async function retryOnConflict<T>(
  work: () => Promise<T>,
  { wait = sleep, random = Math.random }: Retrying = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work();
    } catch (error) {
      if (!lost.has(sqlState(error) ?? "")) throw error;
      if (attempt === maxAttempts)
        throw new Fault(
          "unavailable",
          "database_conflict",
          "Too many changes at once. Try again in a moment.",
          { cause: error, retryAfterSeconds: 1 },
        );
      await wait(random() * Math.min(10 * 2 ** attempt, 400));
    }
}
