import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { Id } from "../../base/id.ts";
import { validationFailed } from "../../base/invalid.ts";
import * as Event from "../../event/event.ts";
import type { Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { type Membership, reaches } from "../../workspace/authorization.ts";
import { requireCorrectable } from "../../workspace/members/correction.ts";
import * as Budget from "../budgets/budget.ts";
import * as Project from "../projects/project.ts";
import * as TimeEntry from "./time-entry.ts";

/**
 * Maximum number of entries of one request. With 200 events, 800 sums of which 400 may be deleted again, 600 guards
 * and 220 rows for warnings, they are at most 2,420 rows. A transaction in Aurora DSQL can write 3,000.
 */
export const maxEntries = 200;

/**
 * Maximum number of projects whose budget warnings a request records. Each can be two warnings with an event and 20 webhook
 * deliveries. The hourly `forecast-budgets` records those of other projects.
 */
const maxWarned = 5;

const Ids = z.array(Id).check(z.minLength(1), z.maxLength(maxEntries));

export const Update = z.object({ ids: Ids, changes: TimeEntry.Update });
export type Update = z.infer<typeof Update>;

export const Remove = z.object({ ids: Ids });
export type Remove = z.infer<typeof Remove>;

/**
 * Makes the same changes to several entries, in one transaction: all or none. The rules for each entry are those of
 * `TimeEntry.update`. Returns the entries in the order of their ids. When entries cannot be changed, throws the fault of the first
 * of them, with the reason for each as error at `/ids/3`. Throws `invalid` for an id that appears twice, and for an unknown or
 * archived project what `TimeEntry.update` throws.
 */
export async function update(
  actor: Actor,
  membership: Membership,
  { ids, changes: input }: Update,
  now: Date = Clock.now(),
): Promise<TimeEntry.Entry[]> {
  requireDistinct(ids);
  const { workspaceId } = membership;
  return transaction(async (tx) => {
    const rows = await fetchChangeable(tx, actor, membership, ids);
    const { projectId } = input;
    const moves = rows.map((row) => projectId !== undefined && projectId !== row.project_id);
    const projects = entered(tx, workspaceId, now);
    await each(rows, ({ project_id: id, user_id: userId }) => projects.enter(id, userId));
    const joined = rows.filter((_, at) => moves[at]);
    let target: Project.Row | undefined;
    for (const { user_id: userId } of joined) target = await projects.enter(projectId ?? null, userId);
    const rate = joined.length > 0 ? await TimeEntry.rateOf(tx, workspaceId, target) : undefined;

    const all = await each(rows, async (before, at) => {
      const row = TimeEntry.updated(membership, before, input, moves[at] ? rate : undefined, now);
      const changes = Event.changes(TimeEntry.auditFields(before), TimeEntry.auditFields(row));
      if (Object.keys(changes).length === 0) return undefined;
      return { before, after: { ...row, updated_at: now, updated_by: actor.userId }, changes };
    });
    const stored = await write(tx, all, now);
    const changed = all.filter((change) => change !== undefined);
    const events = changed.map(({ after, changes }) =>
      TimeEntry.eventOf(actor, "time_entry.updated", after, changes),
    );
    await Event.recordAll(tx, actor, events, now);
    const concerned = changed.map(({ after }) => after.project_id);
    await warn(tx, actor, projects.rows(concerned), now);
    const after = new Map(stored.flatMap((row) => (row ? [[row.id, row] as const] : [])));
    return rows.map((row) => TimeEntry.entry(after.get(row.id) ?? row, now));
  });
}

/**
 * Deletes several entries in one transaction: all or none. The rules for each entry are those of `TimeEntry.remove`. Throws as
 * `update` does.
 */
export async function remove(
  actor: Actor,
  membership: Membership,
  { ids }: Remove,
  now: Date = Clock.now(),
): Promise<void> {
  requireDistinct(ids);
  await transaction(async (tx) => {
    const rows = await fetchChangeable(tx, actor, membership, ids);
    const projects = entered(tx, membership.workspaceId, now);
    await each(rows, ({ project_id: id, user_id: userId }) => projects.enter(id, userId));
    await write(
      tx,
      rows.map((before) => ({ before, after: undefined })),
      now,
    );
    const events = rows.map((row) =>
      TimeEntry.eventOf(actor, "time_entry.deleted", row, Event.changes(TimeEntry.auditFields(row), {})),
    );
    await Event.recordAll(tx, actor, events, now);
  });
}

function requireDistinct(ids: readonly string[]): void {
  const errors = ids.flatMap((id, at) =>
    ids.indexOf(id) < at
      ? [{ pointer: `/ids/${at}`, code: "duplicate", detail: "Each id can appear only once." }]
      : [],
  );
  if (errors.length > 0) throw validationFailed(errors);
}

/** Loads entries that the caller may change, in the order of their ids. */
async function fetchChangeable(
  tx: Tx,
  actor: Actor,
  membership: Membership,
  ids: readonly string[],
): Promise<TimeEntry.Row[]> {
  const found = await tx
    .selectFrom("time_entries")
    .selectAll()
    .where("id", "in", ids)
    .where("workspace_id", "=", membership.workspaceId)
    .execute();
  const rows = new Map(found.map((row) => [row.id, row]));
  const refusals = new Map<string, Promise<void>>([[actor.userId, Promise.resolve()]]);
  return each(ids, async (id) => {
    const row = rows.get(id);
    const isOwn = row?.user_id === actor.userId;
    if (!row || (!isOwn && !reaches(membership.role, "manager"))) throw TimeEntry.notFound();
    const userId = row.user_id;
    const check = refusals.get(userId) ?? requireCorrectable(tx, actor, membership, userId);
    refusals.set(userId, check);
    await check;
    return row;
  });
}

/** Enters each project once per user, and remembers the projects. */
function entered(tx: Tx, workspaceId: string, now: Date) {
  const entries = new Map<string, Promise<Project.Row>>();
  const rows = new Map<string, Project.Row>();
  return {
    /** Throws what `Project.enter` throws, again for each call. */
    async enter(id: string | null, userId: string): Promise<Project.Row | undefined> {
      if (id === null) return undefined;
      const key = `${id} ${userId}`;
      const project = entries.get(key) ?? Project.enter(tx, { workspaceId, id, userId }, now);
      entries.set(key, project);
      rows.set(id, await project);
      return project;
    },
    /** Returns the projects with these ids, each once. */
    rows(ids: readonly (string | null)[]): Project.Row[] {
      return [...new Set(ids)].flatMap((id) => rows.get(id ?? "") ?? []);
    },
  };
}

/** Writes the changes of entries, which are undefined for those that stay the same. Names those on locked days. */
async function write(
  tx: Tx,
  changes: readonly (TimeEntry.Change | undefined)[],
  now: Date,
): Promise<(TimeEntry.Row | undefined)[]> {
  try {
    const changed = changes.filter((change) => change !== undefined);
    return await TimeEntry.writeAll(tx, changed, now);
  } catch (fault) {
    if (!(fault instanceof Fault) || fault.code !== "period_locked") throw fault;
    await each(changes, async (change) => TimeEntry.enterPeriod(tx, change ? [change] : [], now));
    throw fault;
  }
}

async function warn(tx: Tx, actor: Actor, projects: readonly Project.Row[], now: Date): Promise<void> {
  const budgeted = projects.filter(({ budget_type }) => budget_type !== null);
  for (const project of budgeted.slice(0, maxWarned)) await Budget.warn(tx, actor, project, now);
}

/**
 * Runs a step for each item, one after another, and returns the results. If it throws faults, throws the first of them, with all
 * of them as errors of their items.
 */
async function each<Item, Result>(
  items: readonly Item[],
  step: (item: Item, at: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const faults: { at: number; fault: Fault }[] = [];
  for (const [at, item] of items.entries())
    try {
      results.push(await step(item, at));
    } catch (fault) {
      if (!(fault instanceof Fault) || fault.kind === "unavailable") throw fault;
      faults.push({ at, fault });
    }
  const [first] = faults;
  if (!first) return results;
  const { kind, code, details } = first.fault;
  const errors = faults.map(({ at, fault }) => {
    const { code, detail } = fault.details.errors?.[0] ?? { code: fault.code, detail: fault.message };
    return { pointer: `/ids/${at}`, code, detail };
  });
  const message = `Nothing was changed, because of ${faults.length} of ${items.length} time entries. See \`errors\` for the reasons.`;
  throw new Fault(kind, code, message, { ...details, errors });
}
