import { createHash } from "node:crypto";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";

/** Five failures within 15 minutes lock the account. Each further lock is longer, up to an hour. */
export const failuresAllowed = 5;
export const windowMinutes = 15;
export const lockMinutes = [1, 5, 15, 60] as const;

/** After this time without an attempt, the next lock is short again. */
const resetHours = 24;

/** The counted attempts of a subject. `locks` is the number of locks so far. */
export type Attempts = { failures: number; windowStartedAt: Date; locks: number; lockedUntil: Date | null };

/**
 * Computes the outcome of one more attempt: either the subject is locked, or the attempt is counted. An attempt counts as a
 * failure until it succeeds, so that parallel guesses are limited like sequential ones.
 */
export function countAttempt(
  before: Attempts | undefined,
  now: Date,
): { lockedUntil: Date } | { attempts: Attempts } {
  if (before?.lockedUntil && before.lockedUntil > now) return { lockedUntil: before.lockedUntil };
  const minutesAgo = before ? (now.getTime() - before.windowStartedAt.getTime()) / 60_000 : Infinity;
  const inWindow = before !== undefined && before.lockedUntil === null && minutesAgo < windowMinutes;
  const locks = before && minutesAgo < resetHours * 60 ? before.locks : 0;
  const failures = inWindow ? before.failures + 1 : 1;
  const windowStartedAt = inWindow ? before.windowStartedAt : now;
  if (failures < failuresAllowed)
    return { attempts: { failures, windowStartedAt, locks, lockedUntil: null } };
  const minutes = lockMinutes[Math.min(locks, lockMinutes.length - 1)] ?? 60;
  const lockedUntil = new Date(now.getTime() + minutes * 60_000);
  return { attempts: { failures, windowStartedAt: now, locks: locks + 1, lockedUntil } };
}

/**
 * Returns the key under which attempts are counted: the email, whether or not it has an account, and separately each
 * device or session that the account has used.
 */
export function subject(emailKey: string, deviceId?: string): string {
  return createHash("sha256")
    .update(`${emailKey}\n${deviceId ?? ""}`)
    .digest("base64url");
}

/**
 * Counts an attempt before its credentials are checked. Throws `busy` `account_temporarily_locked` with the seconds to wait
 * while the subject is locked.
 */
export async function attempt(subject: string, now: Date = Clock.now()): Promise<void> {
  const lockedUntil = await transaction((tx) => storeAttempt(tx, subject, now));
  if (!lockedUntil) return;
  throw new Fault(
    "busy",
    "account_temporarily_locked",
    "Too many failed attempts. Your account is locked for a short time. Wait, then try again.",
    { retryAfterSeconds: Math.max(1, Math.ceil((lockedUntil.getTime() - now.getTime()) / 1000)) },
  );
}

/** Counts an attempt, or returns the end of the current lock. */
async function storeAttempt(tx: Tx, subject: string, now: Date): Promise<Date | undefined> {
  const row = await tx
    .selectFrom("login_failures")
    .selectAll()
    .where("subject", "=", subject)
    .executeTakeFirst();
  const before = row && {
    failures: row.failures,
    windowStartedAt: row.window_started_at,
    locks: row.locks,
    lockedUntil: row.locked_until,
  };
  const outcome = countAttempt(before, now);
  if ("lockedUntil" in outcome) return outcome.lockedUntil;
  const { failures, windowStartedAt, locks, lockedUntil } = outcome.attempts;
  const values = { failures, window_started_at: windowStartedAt, locks, locked_until: lockedUntil };
  await tx
    .insertInto("login_failures")
    .values({ subject, ...values })
    .onConflict((conflict) => conflict.column("subject").doUpdateSet(values))
    .execute();
  return undefined;
}

/**
 * Subtracts the in-progress attempt after a correct first step. Earlier failures stay counted, so that a correct password
 * does not reset the count of wrong second factors.
 */
export async function refundAttempt(subject: string): Promise<void> {
  await transaction(async (tx) => {
    const row = await tx
      .selectFrom("login_failures")
      .select(["failures", "locks", "locked_until"])
      .where("subject", "=", subject)
      .executeTakeFirst();
    if (!row) return;
    const locks = row.locked_until ? row.locks - 1 : row.locks;
    await tx
      .updateTable("login_failures")
      .set({ failures: Math.max(0, row.failures - 1), locks, locked_until: null })
      .where("subject", "=", subject)
      .execute();
  });
}

/** Clears the subject's counted attempts after a success. */
export async function clear(subject: string): Promise<void> {
  await transaction((tx) => tx.deleteFrom("login_failures").where("subject", "=", subject).execute());
}

/** Deletes attempts older than a day. Returns the number of deleted rows. */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const before = new Date(now.getTime() - resetHours * 3_600_000);
  const deleted = await db()
    .deleteFrom("login_failures")
    .where("window_started_at", "<", before)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
}
