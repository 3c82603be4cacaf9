import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { deleteInBatches } from "../../platform/db/delete-in-batches.ts";
import type { Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";

/** Five failures within 15 minutes lock the account. Each further lock is longer, up to an hour. */
export const failuresAllowed = 5;
export const windowMinutes = 15;
export const lockMinutes = [1, 5, 15, 60] as const;

/** After this time without an attempt, the next lock is short again. */
const resetHours = 24;

/** An attempt that is still running after this time, because its function died, counts as a failure. */
export const runningSeconds = 10;

/** Pause in milliseconds before an attempt asks again whether it may run. */
const pauseMs = 50;

/** The attempts of a subject. `running` is the number of attempts without an outcome yet, `locks` that of locks so far. */
export type Attempts = {
  failures: number;
  running: number;
  /** The time at which the running attempts count as failures. Null if none runs. */
  runningUntil: Date | null;
  windowStartedAt: Date;
  locks: number;
  lockedUntil: Date | null;
};

/**
 * Decides whether one more attempt may run. Failures and running attempts together are at most `failuresAllowed`, so parallel
 * guesses are limited like sequential ones. Returns the attempts including this one, the end of a lock, or `wait` while the
 * outcome of running attempts decides.
 */
export function start(
  before: Attempts | undefined,
  now: Date,
): { attempts: Attempts } | { lockedUntil: Date } | "wait" {
  const current = currentAttempts(before, now);
  if (current.lockedUntil) return { lockedUntil: current.lockedUntil };
  if (current.failures + current.running >= failuresAllowed) return "wait";
  const runningUntil = new Date(now.getTime() + runningSeconds * 1000);
  return { attempts: { ...current, running: current.running + 1, runningUntil } };
}

/** Returns the attempts after one of the running ones has ended without completing the sign-in. */
export function end(before: Attempts | undefined, failed: boolean, now: Date): Attempts {
  const current = currentAttempts(before, now);
  const running = Math.max(0, current.running - 1);
  const rest = { ...current, running, runningUntil: running > 0 ? current.runningUntil : null };
  return failed && !current.lockedUntil ? withFailures(rest, 1, now) : rest;
}

/** Counts abandoned attempts as failures, and starts a new window if the last one or its lock has ended. */
function currentAttempts(before: Attempts | undefined, now: Date): Attempts {
  const fresh = {
    failures: 0,
    running: 0,
    runningUntil: null,
    windowStartedAt: now,
    locks: 0,
    lockedUntil: null,
  };
  if (!before) return fresh;
  const { runningUntil } = before;
  const counted =
    runningUntil && runningUntil <= now
      ? withFailures({ ...before, running: 0, runningUntil: null }, before.running, runningUntil)
      : before;
  if (counted.lockedUntil && counted.lockedUntil > now) return counted;
  const minutesAgo = (now.getTime() - counted.windowStartedAt.getTime()) / 60_000;
  if (!counted.lockedUntil && minutesAgo < windowMinutes) return counted;
  const { running, locks } = counted;
  return {
    ...fresh,
    running,
    runningUntil: counted.runningUntil,
    locks: minutesAgo < resetHours * 60 ? locks : 0,
  };
}

/** Adds failures. The last one that is allowed locks the subject from `at` on. */
function withFailures(attempts: Attempts, count: number, at: Date): Attempts {
  const failures = attempts.failures + count;
  if (failures < failuresAllowed) return { ...attempts, failures };
  const minutes = lockMinutes[Math.min(attempts.locks, lockMinutes.length - 1)] ?? 60;
  const lockedUntil = new Date(at.getTime() + minutes * 60_000);
  return { ...attempts, failures, windowStartedAt: at, locks: attempts.locks + 1, lockedUntil };
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
 * The outcome of an attempt. A `success` clears the failures. `progress` is a correct first step: it is no failure, but
 * failures stay counted, so that a correct password does not reset the count of wrong second factors.
 */
export type Outcome = "failure" | "progress" | "success";

/**
 * Runs `check`, which verifies credentials, and counts its outcome. Waits while earlier attempts that still run could lock
 * the subject. Throws `busy` `account_temporarily_locked` with the seconds to wait, without calling `check`, while the subject
 * is locked.
 */
export async function attempt(
  subject: string,
  check: () => Promise<Outcome>,
  now: Date = Clock.now(),
): Promise<Outcome> {
  const startedAt = await started(subject, now);
  const outcome = await check();
  await transaction((tx) => storeOutcome(tx, subject, outcome, startedAt));
  return outcome;
}

/** Counts a running attempt as soon as one may run, and returns the time. */
async function started(subject: string, now: Date): Promise<Date> {
  const calledAt = performance.now();
  for (;;) {
    const waitedMs = performance.now() - calledAt;
    const at = new Date(now.getTime() + waitedMs);
    const lockedUntil = await transaction((tx) => storeStart(tx, subject, at));
    if (lockedUntil === null) return at;
    if (lockedUntil !== "wait") throw locked((lockedUntil.getTime() - at.getTime()) / 1000);
    if (waitedMs > runningSeconds * 1000) throw locked(1);
    await sleep(pauseMs * (1 + Math.random()));
  }
}

function locked(seconds: number): Fault {
  return new Fault(
    "busy",
    "account_temporarily_locked",
    "Too many failed attempts. Your account is locked for a short time. Wait, then try again.",
    { retryAfterSeconds: Math.max(1, Math.ceil(seconds)) },
  );
}

/** Stores that an attempt runs and returns null, or returns why none may run. */
async function storeStart(tx: Tx, subject: string, now: Date): Promise<Date | "wait" | null> {
  const outcome = start(await load(tx, subject), now);
  if (outcome === "wait") return "wait";
  if ("lockedUntil" in outcome) return outcome.lockedUntil;
  await store(tx, subject, outcome.attempts);
  return null;
}

async function storeOutcome(tx: Tx, subject: string, outcome: Outcome, now: Date): Promise<void> {
  if (outcome === "success") await tx.deleteFrom("login_failures").where("subject", "=", subject).execute();
  else await store(tx, subject, end(await load(tx, subject), outcome === "failure", now));
}

async function load(tx: Tx, subject: string): Promise<Attempts | undefined> {
  const row = await tx
    .selectFrom("login_failures")
    .selectAll()
    .where("subject", "=", subject)
    .executeTakeFirst();
  return (
    row && {
      failures: row.failures,
      running: row.running ?? 0,
      runningUntil: row.running_until,
      windowStartedAt: row.window_started_at,
      locks: row.locks,
      lockedUntil: row.locked_until,
    }
  );
}

async function store(tx: Tx, subject: string, attempts: Attempts): Promise<void> {
  const values = {
    failures: attempts.failures,
    running: attempts.running,
    running_until: attempts.runningUntil,
    window_started_at: attempts.windowStartedAt,
    locks: attempts.locks,
    locked_until: attempts.lockedUntil,
  };
  await tx
    .insertInto("login_failures")
    .values({ subject, ...values })
    .onConflict((conflict) => conflict.column("subject").doUpdateSet(values))
    .execute();
}

/** Writes the row of a locked subject unchanged, so that a refusal takes as long as one that is recorded elsewhere too. */
export async function rewrite(tx: Tx, subject: string): Promise<void> {
  await tx
    .updateTable("login_failures")
    .set(({ ref }) => ({ locks: ref("locks") }))
    .where("subject", "=", subject)
    .execute();
}

/** Deletes attempts older than a day. Returns the number of deleted rows. */
export function purge(now: Date = Clock.now()): Promise<number> {
  const before = new Date(now.getTime() - resetHours * 3_600_000);
  return deleteInBatches("login_failures", ["subject"], sql`window_started_at < ${before}`);
}
