import type { Selectable } from "kysely";
import * as z from "zod/mini";
import { resolveAll } from "../../avatar/resolve.ts";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { idPattern, newId } from "../../base/id.ts";
import { invalid } from "../../base/invalid.ts";
import { Note, singleLine } from "../../base/text.ts";
import * as Event from "../../event/event.ts";
import { Converted } from "../../money/convert.ts";
import * as Money from "../../money/money.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import type { TimeEntries } from "../../platform/db/schema.ts";
import { transaction, violates } from "../../platform/db/transaction.ts";
import { type Membership, reaches } from "../../workspace/authorization.ts";
import { settings } from "../../workspace/workspace.ts";
import { cost } from "../amounts/amount.ts";
import { elapsedSeconds, wholeSecond } from "../amounts/elapsed.ts";
import * as Budget from "../budgets/budget.ts";
import * as Project from "../projects/project.ts";

export const maxTags = 20;

/** The longest time entry that a request can create. A timer can run longer. */
export const maxDays = 366;

export const Tag = singleLine(1, 50);

const Id = z.string().check(z.regex(idPattern));

/** An instant from 1970 to 2099 with any UTC offset, rounded down to a whole second. */
export const Instant = z.pipe(
  z.iso.datetime({ offset: true }).check(z.regex(/^(?:19[789]|20)\d/, "Time must be between 1970 and 2099.")),
  z.transform((text) => wholeSecond(new Date(text))),
);

const entryFields = {
  id: z.string(),
  userId: z.string(),
  projectId: z.nullable(z.string()),
  description: z.string(),
  startedAt: z.iso.datetime(),
  /** Null while the timer runs. `durationSeconds` and `amount` then count until now. */
  endedAt: z.nullable(z.iso.datetime()),
  durationSeconds: z.int(),
  billable: z.boolean(),
  /** A decimal amount in `currency`: the project's rate at the time of writing. */
  hourlyRate: z.nullable(z.string()),
  /** A decimal amount in `currency`. Zero for entries that are not billable or have no rate. */
  amount: z.string(),
  currency: z.string(),
  tags: z.array(z.string()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};

/** A time entry as stored. `View` adds data that is looked up for display. */
export const Entry = z.object(entryFields);
export type Entry = z.infer<typeof Entry>;

export const View = z.object({
  ...entryFields,
  user: z.object({ id: z.string(), name: z.string(), avatar: z.string() }),
  /** Present with `convert_to`: the amount at the rate of the entry's day, or null without a rate. */
  converted: z.optional(z.nullable(Converted)),
});
export type View = z.infer<typeof View>;

/** The fields that users set on a time entry and on a timer. */
export const Details = z.object({
  projectId: z.optional(z.nullable(Id)),
  description: z.optional(Note),
  billable: z.optional(z.boolean()),
  tags: z.optional(z.array(Tag).check(z.maxLength(maxTags))),
});
export type Details = z.infer<typeof Details>;

/** Without `endedAt`, the entry is a running timer that started at `startedAt`. */
export const Create = z.object({ ...Details.shape, startedAt: Instant, endedAt: z.optional(Instant) });
export type Create = z.infer<typeof Create>;

/** Setting `endedAt` stops a running timer. */
export const Update = z.partial(Create);
export type Update = z.infer<typeof Update>;

export type Row = Selectable<TimeEntries>;

/** Returns the fault for an unknown entry, and for one that the caller may not read. */
function notFound(): Fault {
  return new Fault("missing", "time_entry_not_found", "Time entry not found.");
}

/** Returns a time entry. Members can read their own, managers can read all. Throws `missing` `time_entry_not_found`. */
export async function get(
  actor: Actor,
  membership: Membership,
  id: string,
  now: Date = Clock.now(),
): Promise<Entry> {
  let query = db()
    .selectFrom("time_entries")
    .selectAll()
    .where("id", "=", id)
    .where("workspace_id", "=", membership.workspaceId);
  if (!reaches(membership.role, "manager")) query = query.where("user_id", "=", actor.userId);
  const row = await query.executeTakeFirst();
  if (!row) throw notFound();
  return entry(row, now);
}

/**
 * Creates a time entry of the caller. The entry keeps the project's current rate and currency. Throws `missing`
 * `project_not_found`, `conflict` `project_archived`, `conflict` `timer_already_running`, and `invalid` for an entry that ends
 * before it starts or is too long.
 */
export async function create(
  actor: Actor,
  membership: Membership,
  input: Create,
  now: Date = Clock.now(),
): Promise<Entry> {
  const { startedAt, endedAt = null, ...details } = input;
  return insert(actor, membership, "time_entry.created", details, startedAt, endedAt, now);
}

/** Inserts a time entry or a timer and records `action`. Throws what `create` throws. */
export async function insert(
  actor: Actor,
  { workspaceId }: Membership,
  action: Event.InternalAction,
  details: Details,
  startedAt: Date,
  endedAt: Date | null,
  now: Date,
): Promise<Entry> {
  validateTimes(startedAt, endedAt, now);
  const { projectId = null, description = "", tags = [] } = details;
  return translateRunningTimer(
    transaction(async (tx) => {
      const project = projectId ? await Project.markTracked(tx, workspaceId, projectId, now) : undefined;
      const row = withTotals({
        id: newId("tim", now),
        workspace_id: workspaceId,
        user_id: actor.userId,
        project_id: projectId,
        description,
        started_at: startedAt,
        ended_at: endedAt,
        duration_seconds: null,
        billable: details.billable ?? project?.billable ?? false,
        ...(await rateOf(tx, workspaceId, project)),
        amount_minor: null,
        tags: [...new Set(tags)],
        created_at: now,
        updated_at: now,
      });
      await tx
        .insertInto("time_entries")
        .values({ ...row, tags: JSON.stringify(row.tags) })
        .execute();
      await record(tx, actor, action, row, Event.changes({}, auditFields(row)), now);
      if (project) await Budget.warn(tx, actor, project, now);
      return entry(row, now);
    }),
  );
}

/**
 * Updates the given fields of the caller's own time entry. The entry keeps its rate, unless it moves to another project and
 * gets that project's rate. Throws what `create` throws, `missing` `time_entry_not_found`, and, for managers, `forbidden`
 * `not_your_entry`.
 */
export async function update(
  actor: Actor,
  membership: Membership,
  id: string,
  input: Update,
  now: Date = Clock.now(),
): Promise<Entry> {
  const { workspaceId } = membership;
  return transaction(async (tx) => {
    const before = await fetchOwn(tx, actor, membership, id);
    const { projectId } = input;
    const left = before.project_id
      ? await Project.markTracked(tx, workspaceId, before.project_id, now)
      : undefined;
    const moves = projectId !== undefined && projectId !== before.project_id;
    const joined =
      moves && projectId ? await Project.markTracked(tx, workspaceId, projectId, now) : undefined;
    const after = withTotals({
      ...before,
      ...columnsFrom(input),
      ...(moves && { project_id: projectId, ...(await rateOf(tx, workspaceId, joined)) }),
    });
    validateTimes(after.started_at, after.ended_at, now);
    const changes = Event.changes(auditFields(before), auditFields(after));
    if (Object.keys(changes).length === 0) return entry(before, now);
    await save(tx, { ...after, updated_at: now });
    await record(tx, actor, "time_entry.updated", after, changes, now);
    const project = moves ? joined : left;
    if (project) await Budget.warn(tx, actor, project, now);
    return entry({ ...after, updated_at: now }, now);
  });
}

/** Returns the columns that an update sets, except the project. */
function columnsFrom({ description, billable, tags, startedAt, endedAt }: Update) {
  return {
    ...(description !== undefined && { description }),
    ...(billable !== undefined && { billable }),
    ...(tags !== undefined && { tags: [...new Set(tags)] }),
    ...(startedAt !== undefined && { started_at: startedAt }),
    ...(endedAt !== undefined && { ended_at: endedAt }),
  };
}

/**
 * Deletes the caller's own time entry. Throws `missing` `time_entry_not_found`, for managers `forbidden` `not_your_entry`, and
 * `conflict` `project_archived`.
 */
export async function remove(
  actor: Actor,
  membership: Membership,
  id: string,
  now: Date = Clock.now(),
): Promise<void> {
  await transaction(async (tx) => {
    const row = await fetchOwn(tx, actor, membership, id);
    if (row.project_id) await Project.markTracked(tx, membership.workspaceId, row.project_id, now);
    await tx.deleteFrom("time_entries").where("id", "=", id).execute();
    await record(tx, actor, "time_entry.deleted", row, Event.changes(auditFields(row), {}), now);
  });
}

/** Stops a running timer and stores its duration and amount, inside the caller's transaction. */
export async function finish(tx: Tx, by: Event.EventActor, row: Row, now: Date): Promise<Row> {
  const end = wholeSecond(now);
  const after = withTotals({
    ...row,
    ended_at: end < row.started_at ? row.started_at : end,
    updated_at: now,
  });
  await save(tx, after);
  await record(tx, by, "time_entry.stopped", after, Event.changes(auditFields(row), auditFields(after)), now);
  return after;
}

/** Converts the amounts of entries, in the same order. Undefined for an entry without a rate. */
export type Convert = (entries: readonly Entry[]) => Promise<readonly (Converted | undefined)[]>;

/** Adds the users of entries, with newly signed avatar URLs, and the converted amounts when `convert` is given. */
export async function views(entries: readonly Entry[], convert?: Convert): Promise<View[]> {
  const ids = [...new Set(entries.map(({ userId }) => userId))];
  const [people, converted] = await Promise.all([
    ids.length === 0
      ? []
      : db().selectFrom("users").select(["id", "name", "avatar"]).where("id", "in", ids).execute(),
    convert?.(entries),
  ]);
  const avatars = resolveAll(people.map(({ avatar }) => avatar));
  const users = new Map(people.map(({ id, name }, at) => [id, { id, name, avatar: avatars[at] ?? "" }]));
  return entries.map((entry, at) => {
    // The entries of a deleted account stay in the workspace, without a name.
    const user = users.get(entry.userId) ?? { id: entry.userId, name: "", avatar: "" };
    return { ...entry, user, ...(converted && { converted: converted[at] ?? null }) };
  });
}

/** Adds the user of an entry. */
export async function viewOf(entry: Entry): Promise<View> {
  const [view] = await views([entry]);
  return view as View;
}

/** Formats a row. A running timer counts until now. */
export function entry(row: Row, now: Date): Entry {
  const durationSeconds = row.duration_seconds ?? elapsedSeconds(row.started_at, now);
  return {
    id: row.id,
    userId: row.user_id,
    projectId: row.project_id,
    description: row.description,
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    durationSeconds,
    billable: row.billable,
    hourlyRate: decimal(row.hourly_rate_minor, row.currency),
    amount: Money.view({ minor: row.amount_minor ?? price(row, durationSeconds), currency: row.currency })
      .amount,
    currency: row.currency,
    tags: row.tags,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Returns the row with its duration and amount. A running timer has neither. */
function withTotals(row: Row): Row {
  if (!row.ended_at) return row;
  const seconds = elapsedSeconds(row.started_at, row.ended_at);
  return { ...row, duration_seconds: seconds, amount_minor: price(row, seconds) };
}

function price({ billable, hourly_rate_minor: rate }: Row, seconds: number): bigint {
  return billable && rate !== null ? cost(seconds, rate) : 0n;
}

/** Loads the caller's own entry for a change. */
async function fetchOwn(tx: Tx, actor: Actor, membership: Membership, id: string): Promise<Row> {
  const row = await tx
    .selectFrom("time_entries")
    .selectAll()
    .where("id", "=", id)
    .where("workspace_id", "=", membership.workspaceId)
    .executeTakeFirst();
  if (row?.user_id === actor.userId) return row;
  if (row && reaches(membership.role, "manager"))
    throw new Fault("forbidden", "not_your_entry", "You can only change your own time entries.");
  throw notFound();
}

async function save(tx: Tx, row: Row): Promise<void> {
  const { id, ...values } = row;
  await tx
    .updateTable("time_entries")
    .set({ ...values, tags: JSON.stringify(row.tags) })
    .where("id", "=", id)
    .execute();
}

/** Returns the current rate and currency of a project, or only the base currency without a project. */
async function rateOf(tx: Tx, workspaceId: string, project: Project.Row | undefined) {
  if (project) return { hourly_rate_minor: project.hourly_rate_minor, currency: project.currency };
  const { baseCurrency } = await settings(tx, workspaceId);
  return { hourly_rate_minor: null, currency: baseCurrency };
}

function validateTimes(startedAt: Date, endedAt: Date | null, now: Date): void {
  if (!endedAt && startedAt > now)
    throw invalid(
      { pointer: "/startedAt" },
      "in_the_future",
      "Start of a running timer must not be in the future.",
    );
  if (!endedAt) return;
  if (endedAt < startedAt)
    throw invalid({ pointer: "/endedAt" }, "ends_before_start", "End must not be before start.");
  if (elapsedSeconds(startedAt, endedAt) > maxDays * 86_400)
    throw invalid({ pointer: "/endedAt" }, "too_long", `An entry can be at most ${maxDays} days long.`);
}

/** Turns a violation of the unique index on running timers into `conflict` `timer_already_running`. */
async function translateRunningTimer<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!violates(error, "time_entries_running")) throw error;
    throw new Fault(
      "conflict",
      "timer_already_running",
      "You already have a running timer in this workspace. Stop it first.",
    );
  }
}

/** Returns the fields that audit entries compare. */
function auditFields(row: Row) {
  return {
    projectId: row.project_id,
    description: row.description,
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    billable: row.billable,
    hourlyRate: decimal(row.hourly_rate_minor, row.currency),
    amount: decimal(row.amount_minor, row.currency),
    currency: row.currency,
    tags: row.tags,
  };
}

function decimal(minor: bigint | null, currency: string): string | null {
  return minor === null ? null : Money.view({ minor, currency }).amount;
}

async function record(
  tx: Tx,
  by: Event.EventActor,
  action: Event.InternalAction,
  { id, description, workspace_id: workspaceId }: Row,
  changes: Event.Changes,
  at: Date,
): Promise<void> {
  const target = { type: "time_entry", id, name: description } as const;
  await Event.record(tx, by, { action, target, workspaceId, changes }, at);
}
