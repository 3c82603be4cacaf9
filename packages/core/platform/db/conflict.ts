import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "../../base/fault.ts";
import { sqlState } from "./sql-state.ts";
import { isStatementUnusable } from "./statement-names.ts";

/** Maximum number of attempts before write conflicts become `database_conflict`. */
export const maxAttempts = 12;

/** Replacements for the delay and the random numbers of the back-off, for tests. */
export type RetryOptions = { wait?: (milliseconds: number) => Promise<unknown>; random?: () => number };

/** `serialization_failure`, which Aurora DSQL reports for every conflict, and `deadlock_detected`. */
const conflictCodes = new Set(["40001", "40P01"]);

/** Returns the error of a write conflict that a conditional write has found, after which the transaction runs again. */
export function writeConflict(): Error {
  return Object.assign(new Error("Another transaction has changed the row."), {
    severity: "ERROR",
    code: "40001",
  });
}

/**
 * Runs `work`, and repeats it after write conflicts with exponential back-off and jitter (at most 400 ms), and when a prepared
 * statement became unusable. Throws `unavailable` `database_conflict` after `maxAttempts` attempts.
 */
export async function retryOnConflict<T>(
  work: () => Promise<T>,
  { wait = sleep, random = Math.random }: RetryOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work();
    } catch (error) {
      if (!conflictCodes.has(sqlState(error) ?? "") && !isStatementUnusable(error)) throw error;
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
