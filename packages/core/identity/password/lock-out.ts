import { createHash } from "node:crypto";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { db } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";

/** Five failures within a quarter of an hour lock the account, each time for longer, never for good. */
export const failuresAllowed = 5;
export const windowMinutes = 15;
export const lockMinutes = [1, 5, 15, 60] as const;

/** A day without any try, and the next lock is short again. */
const forgottenAfterHours = 24;

export type Tries = { failures: number; windowStartedAt: Date; locks: number; lockedUntil: Date | null };

/**
 * What a further try makes of the tries so far: locked out, or counted. Every try counts as a failure until it has
 * succeeded, so that guesses sent all at once are no more than guesses sent one by one.
 */
export function counted(before: Tries | undefined, now: Date): { lockedUntil: Date } | { tries: Tries } {
  if (before?.lockedUntil && before.lockedUntil > now) return { lockedUntil: before.lockedUntil };
  const minutesAgo = before ? (now.getTime() - before.windowStartedAt.getTime()) / 60_000 : Infinity;
  const inWindow = before !== undefined && before.lockedUntil === null && minutesAgo < windowMinutes;
  const locks = before && minutesAgo < forgottenAfterHours * 60 ? before.locks : 0;
  const failures = inWindow ? before.failures + 1 : 1;
  const windowStartedAt = inWindow ? before.windowStartedAt : now;
  if (failures < failuresAllowed) return { tries: { failures, windowStartedAt, locks, lockedUntil: null } };
  const minutes = lockMinutes[Math.min(locks, lockMinutes.length - 1)] ?? 60;
  const lockedUntil = new Date(now.getTime() + minutes * 60_000);
  return { tries: { failures, windowStartedAt: now, locks: locks + 1, lockedUntil } };
}

/** Whose tries are counted together: an account by its address, known or not, and apart from it each device it knows. */
export function subject(emailKey: string, deviceId?: string): string {
  return createHash("sha256")
    .update(`${emailKey}\n${deviceId ?? ""}`)
    .digest("base64url");
}

/** Count a try before it is judged. Throws 429 `account_temporarily_locked` with the time to wait. */
export async function attempt(who: string, now: Date = Clock.now()): Promise<void> {
  const lockedUntil = await transaction(async (tx) => {
    const row = await tx
      .selectFrom("login_failures")
      .selectAll()
      .where("subject", "=", who)
      .executeTakeFirst();
    const outcome = counted(
      row && {
        failures: row.failures,
        windowStartedAt: row.window_started_at,
        locks: row.locks,
        lockedUntil: row.locked_until,
      },
      now,
    );
    if ("lockedUntil" in outcome) return outcome.lockedUntil;
    const { failures, windowStartedAt, locks, lockedUntil } = outcome.tries;
    const values = { failures, window_started_at: windowStartedAt, locks, locked_until: lockedUntil };
    await tx
      .insertInto("login_failures")
      .values({ subject: who, ...values })
      .onConflict((conflict) => conflict.column("subject").doUpdateSet(values))
      .execute();
    return undefined;
  });
  if (!lockedUntil) return;
  throw new Fault(
    "busy",
    "account_temporarily_locked",
    "Too many failed attempts. Wait, then try again; the account is not lost.",
    { retryAfterSeconds: Math.max(1, Math.ceil((lockedUntil.getTime() - now.getTime()) / 1000)) },
  );
}

/**
 * The try was right, but is only the first step: it alone is taken back. What was counted before stays, so that somebody
 * who has the password cannot wipe out wrong codes with it.
 */
export async function halfway(who: string): Promise<void> {
  await transaction(async (tx) => {
    const row = await tx
      .selectFrom("login_failures")
      .select(["failures", "locks", "locked_until"])
      .where("subject", "=", who)
      .executeTakeFirst();
    if (!row) return;
    const locks = row.locked_until ? row.locks - 1 : row.locks;
    await tx
      .updateTable("login_failures")
      .set({ failures: Math.max(0, row.failures - 1), locks, locked_until: null })
      .where("subject", "=", who)
      .execute();
  });
}

/** The try succeeded: what was counted is forgotten. */
export async function succeeded(who: string): Promise<void> {
  await transaction((tx) => tx.deleteFrom("login_failures").where("subject", "=", who).execute());
}

/** Forget accounts that nobody has tried for a day. Answers how many rows went. */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const before = new Date(now.getTime() - forgottenAfterHours * 3_600_000);
  const gone = await db()
    .deleteFrom("login_failures")
    .where("window_started_at", "<", before)
    .executeTakeFirst();
  return Number(gone.numDeletedRows);
}
