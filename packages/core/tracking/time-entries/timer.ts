import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { db, type Reader, type Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Membership } from "../../workspace/authorization.ts";
import { wholeSecond } from "../amounts/elapsed.ts";
import * as Budget from "../budgets/budget.ts";
import * as Project from "../projects/project.ts";
import * as TimeEntry from "./time-entry.ts";

/** Start a timer for the caller: one runs at a time in a workspace, and a unique index says so. Throws what `create` throws. */
export async function start(
  actor: Actor,
  membership: Membership,
  input: TimeEntry.Details,
  now: Date = Clock.now(),
): Promise<TimeEntry.Entry> {
  return TimeEntry.insert(actor, membership, "time_entry.started", input, wholeSecond(now), null, now);
}

/** Stop the caller's timer. Throws 409 `timer_not_running`. */
export async function stop(
  actor: Actor,
  { workspaceId }: Membership,
  now: Date = Clock.now(),
): Promise<TimeEntry.Entry> {
  return transaction(async (tx) => {
    const row = await fetch(tx, workspaceId, actor.userId);
    if (!row) throw new Fault("conflict", "timer_not_running", "No timer of yours is running here.");
    const stopped = await TimeEntry.finish(tx, actor, row, now);
    if (row.project_id)
      await Budget.warn(tx, actor, await Project.track(tx, workspaceId, row.project_id, now), now);
    return TimeEntry.entry(stopped, now);
  });
}

/** Stop the timer of somebody who goes, if one runs: nobody else could. Part of whatever they go by. */
export async function halt(tx: Tx, actor: Actor, workspaceId: string, now: Date): Promise<void> {
  const row = await fetch(tx, workspaceId, actor.userId);
  if (row) await TimeEntry.finish(tx, actor, row, now);
}

/** The caller's running timer. Throws 404 `timer_not_running`. */
export async function running(
  actor: Actor,
  { workspaceId }: Membership,
  now: Date = Clock.now(),
): Promise<TimeEntry.Entry> {
  const row = await fetch(db(), workspaceId, actor.userId);
  if (!row) throw new Fault("missing", "timer_not_running", "No timer of yours is running here.");
  return TimeEntry.entry(row, now);
}

async function fetch(
  reader: Reader,
  workspaceId: string,
  userId: string,
): Promise<TimeEntry.Row | undefined> {
  return reader
    .selectFrom("time_entries")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .executeTakeFirst();
}
