import { createHash } from "node:crypto";
import * as Clock from "../base/clock.ts";
import { addDays, type Day, dayIn } from "../base/day.ts";
import { startOfDay } from "../base/day-bounds.ts";
import { Fault } from "../base/fault.ts";
import { invalid } from "../base/invalid.ts";
import type { Reader, Tx } from "../platform/db/engine.ts";

/** Rows over which the guard of a workspace's locked period is spread, so that changes by different users rarely conflict. */
const shards = 64;

/** Longer than any transaction, and than clocks differ. */
const longestTransactionMs = 3_600_000;

/** The lock of a workspace: everything until this day, in the workspace's time zone. Null if no lock binds it. */
type State = { lockedUntil: Day | null; enterprise: boolean; timezone: string };

async function stateOf(reader: Reader, workspaceId: string): Promise<State> {
  const { plan, locked_until, timezone } = await reader
    .selectFrom("workspaces")
    .select(["plan", "locked_until", "timezone"])
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  const enterprise = plan === "ENTERPRISE";
  return { lockedUntil: enterprise ? locked_until : null, enterprise, timezone };
}

/** A change that a transaction is about to write, by a user of a workspace. */
type Change = { workspaceId: string; userId: string };

/**
 * Requires that no lock covers the days of these instants, and that none covers them before the transaction commits. Throws
 * `conflict` `period_locked`.
 */
export async function enterAt(
  tx: Tx,
  change: Change,
  instants: readonly Date[],
  now: Date = Clock.now(),
): Promise<void> {
  const state = await stateOf(tx, change.workspaceId);
  const day = instants.map((at) => dayIn(state.timezone, at)).reduce((a, b) => (a < b ? a : b));
  if (state.lockedUntil !== null && day <= state.lockedUntil) throw periodLocked(state.lockedUntil);
  await guard(tx, change, state, day, now);
}

/**
 * Requires that a change of values that apply from `since` on changes no locked day, and that no lock covers one before the
 * transaction commits. `changes` tells whether the values of the days until the last locked one would change. Throws `conflict`
 * `period_locked`.
 */
export async function enterFrom(
  tx: Tx,
  change: Change,
  since: Day,
  changes: (lockedUntil: Day) => boolean,
  now: Date = Clock.now(),
): Promise<void> {
  const state = await stateOf(tx, change.workspaceId);
  if (state.lockedUntil !== null && changes(state.lockedUntil)) throw periodLocked(state.lockedUntil);
  await guard(tx, change, state, since, now);
}

/** Returns the fault for a change of a locked day, or for one that `message` describes. */
export function periodLocked(
  until: Day,
  message = `The days until ${until} are locked. An admin can move the lock in the settings of the workspace.`,
): Fault {
  return new Fault("conflict", "period_locked", message, { extra: { lockedUntil: until } });
}

/**
 * Makes the transaction conflict with a concurrent lock, if one could cover this day: only days that have ended can be locked.
 * So the usual changes of today's entries write no guard.
 */
async function guard(
  tx: Tx,
  { workspaceId, userId }: Change,
  { enterprise, timezone }: State,
  day: Day,
  now: Date,
): Promise<void> {
  if (!enterprise || day >= dayIn(timezone, new Date(now.getTime() + longestTransactionMs))) return;
  const shard = createHash("sha256").update(userId).digest().readUInt8() % shards;
  await writeGuards(tx, workspaceId, [shard], now);
}

async function writeGuards(tx: Tx, workspaceId: string, shards: readonly number[], now: Date): Promise<void> {
  await tx
    .insertInto("period_guards")
    .values(shards.map((shard) => ({ workspace_id: workspaceId, shard, written_at: now })))
    // Under snapshot isolation, only a written row fails the later transaction.
    .onConflict((conflict) => conflict.columns(["workspace_id", "shard"]).doUpdateSet({ written_at: now }))
    .execute();
}

/**
 * Records that a workspace's lock moves, in the transaction that changes `locked_until`, and makes that transaction conflict with
 * every concurrent change of a day that becomes locked. Throws `invalid` `not_before_today` for a day that has not ended, and
 * `conflict` `timer_running` if a timer that started on a day to be locked is running.
 */
export async function move(
  tx: Tx,
  workspaceId: string,
  { before, after, timezone }: { before: Day | null; after: Day | null; timezone: string },
  now: Date,
): Promise<void> {
  if (after !== null && after >= dayIn(timezone, now))
    throw invalid(
      { pointer: "/lockedUntil" },
      "not_before_today",
      "The last locked day must be before today in the workspace’s time zone.",
    );
  const locks = await locksOf(tx, workspaceId);
  if (after !== null && (before === null || after > before)) {
    await requireNoTimer(tx, workspaceId, startOfDay(addDays(after, 1), timezone));
    await writeGuards(tx, workspaceId, [...Array(shards).keys()], now);
  }
  // Days that stay locked keep the time from which their rates are fixed.
  const covering = after === null ? undefined : locks.find(({ until }) => until >= after);
  const obsolete = tx.deleteFrom("period_locks").where("workspace_id", "=", workspaceId);
  await (after === null ? obsolete : obsolete.where("locked_until", ">=", after)).execute();
  if (after === null) return;
  await tx
    .insertInto("period_locks")
    .values({ workspace_id: workspaceId, locked_until: after, locked_at: covering?.at ?? now })
    .execute();
}

async function requireNoTimer(tx: Tx, workspaceId: string, end: Date): Promise<void> {
  const running = await tx
    .selectFrom("time_entries")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("ended_at", "is", null)
    .where("started_at", "<", end)
    .limit(1)
    .executeTakeFirst();
  if (running)
    throw new Fault(
      "conflict",
      "timer_running",
      "A timer that started in this period is still running, so its amount changes. Stop it first.",
      { extra: { timeEntryId: running.id } },
    );
}

/** A lock of the past: the days until `until`, which no earlier lock covers, use the rates that were recorded until `at`. */
export type Lock = { until: Day; at: Date };

/** Returns the locks that fix the rates of a workspace's days, earliest first. None if no lock binds the workspace. */
export async function locksOf(reader: Reader, workspaceId: string): Promise<Lock[]> {
  const rows = await reader
    .selectFrom("period_locks")
    .innerJoin("workspaces", "workspaces.id", "period_locks.workspace_id")
    .select(["period_locks.locked_until as until", "period_locks.locked_at as at"])
    .where("workspaces.id", "=", workspaceId)
    .where("workspaces.plan", "=", "ENTERPRISE")
    .orderBy("period_locks.locked_until")
    .execute();
  return rows;
}
