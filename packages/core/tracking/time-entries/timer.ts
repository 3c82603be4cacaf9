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

/** Starts a timer for the caller. A unique index allows one per workspace and user. Throws what `TimeEntry.create` throws. */
export async function start(
  actor: Actor,
  membership: Membership,
  input: TimeEntry.Details,
  now: Date = Clock.now(),
): Promise<TimeEntry.Entry> {
  const details = { ...input, userId: actor.userId };
  return TimeEntry.insert(actor, membership, "time_entry.started", details, wholeSecond(now), null, now);
}

/** Stops the caller's timer. Throws `conflict` `timer_not_running`. */
export async function stop(
  actor: Actor,
  { workspaceId }: Membership,
  now: Date = Clock.now(),
): Promise<TimeEntry.Entry> {
  return transaction(async (tx) => {
    const row = await fetch(tx, workspaceId, actor.userId);
    if (!row)
      throw new Fault("conflict", "timer_not_running", "You have no running timer in this workspace.");
    const { project_id: id, user_id: userId } = row;
    const project = id ? await Project.enter(tx, { workspaceId, id, userId }, now) : undefined;
    const stopped = await TimeEntry.finish(tx, actor, row, now);
    if (project) await Budget.warn(tx, actor, project, now);
    return TimeEntry.entry(stopped, now);
  });
}

/** Stops the running timer, if any, of a member who loses access, inside the caller's transaction. No one else could stop it. */
export async function stopForDeparture(
  tx: Tx,
  actor: Actor,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  now: Date,
): Promise<void> {
  const row = await fetch(tx, workspaceId, userId);
  if (row) await TimeEntry.finish(tx, actor, row, now);
}

/** Returns the caller's running timer. Throws `missing` `timer_not_running`. */
export async function running(
  actor: Actor,
  { workspaceId }: Membership,
  now: Date = Clock.now(),
): Promise<TimeEntry.Entry> {
  const row = await fetch(db(), workspaceId, actor.userId);
  if (!row) throw new Fault("missing", "timer_not_running", "You have no running timer in this workspace.");
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
