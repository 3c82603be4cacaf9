import type { Selectable } from "kysely";
import * as z from "zod/mini";
import { resolveAll } from "../../avatar/resolve.ts";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { newId, pattern } from "../../base/id.ts";
import { invalid } from "../../base/invalid.ts";
import { line, Note } from "../../base/text.ts";
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

/** The longest entry that can be written at once. A timer that nobody stops goes on for longer. */
export const maxDays = 366;

export const Tag = line(1, 50);

const Id = z.string().check(z.regex(pattern));

/** From 1970 to 2099, with or without an offset from UTC; counted in whole seconds. */
export const Instant = z.pipe(
  z.iso.datetime({ offset: true }).check(z.regex(/^(?:19[789]|20)\d/, "Only times from 1970 to 2099.")),
  z.transform((text) => wholeSecond(new Date(text))),
);

const own = {
  id: z.string(),
  userId: z.string(),
  projectId: z.nullable(z.string()),
  description: z.string(),
  startedAt: z.iso.datetime(),
  /** Null while the timer runs; `durationSeconds` and `amount` count until now then. */
  endedAt: z.nullable(z.iso.datetime()),
  durationSeconds: z.int(),
  billable: z.boolean(),
  /** Decimal, in `currency`, as the project's rate was when the entry was written. */
  hourlyRate: z.nullable(z.string()),
  /** Decimal; nothing for what is not billable or has no rate. */
  amount: z.string(),
  currency: z.string(),
  tags: z.array(z.string()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};

/** An entry without what is only looked up when it is shown. */
export const Entry = z.object(own);
export type Entry = z.infer<typeof Entry>;

export const View = z.object({
  ...own,
  user: z.object({ id: z.string(), name: z.string(), avatar: z.string() }),
  /** With `convert_to`: at the rate of the entry's day; null when there is none. */
  converted: z.optional(z.nullable(Converted)),
});
export type View = z.infer<typeof View>;

/** What a person may say about an entry, timer or not. */
export const Details = z.object({
  projectId: z.optional(z.nullable(Id)),
  description: z.optional(Note),
  billable: z.optional(z.boolean()),
  tags: z.optional(z.array(Tag).check(z.maxLength(maxTags))),
});
export type Details = z.infer<typeof Details>;

/** Without `endedAt` the entry is a running timer that was started then. */
export const Create = z.object({ ...Details.shape, startedAt: Instant, endedAt: z.optional(Instant) });
export type Create = z.infer<typeof Create>;

/** `endedAt` on a running timer stops it. */
export const Update = z.partial(Create);
export type Update = z.infer<typeof Update>;

export type Row = Selectable<TimeEntries>;

/** Also the answer for an entry of another workspace, and for a member's eyes for anybody else's. */
function missing(): Fault {
  return new Fault("missing", "time_entry_not_found", "There is no such time entry.");
}

/** One entry: a member's own, for a manager anybody's. Throws 404 `time_entry_not_found`. */
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
  if (!row) throw missing();
  return entry(row, now);
}

/**
 * Write down the caller's own time. The project's rate and currency are frozen on the entry. Throws 404
 * `project_not_found`, 409 `project_archived`, 409 `timer_already_running`, and 422 for an end before the beginning.
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

/** The part of `create` that starting a timer shares. */
export async function insert(
  actor: Actor,
  { workspaceId }: Membership,
  action: Event.Action,
  details: Details,
  startedAt: Date,
  endedAt: Date | null,
  now: Date,
): Promise<Entry> {
  demandOrder(startedAt, endedAt, now);
  const { projectId = null, description = "", tags = [] } = details;
  return unlessRunning(
    transaction(async (tx) => {
      const project = projectId ? await Project.track(tx, workspaceId, projectId, now) : undefined;
      const row = settled({
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
      await record(tx, actor, action, row, Event.changes({}, described(row)), now);
      if (project) await Budget.warn(tx, actor, project, now);
      return entry(row, now);
    }),
  );
}

/**
 * Change what is given of the caller's own entry and keep the rest. The rate stays as it was frozen, unless the entry
 * moves to another project: then that one's counts. Throws what `create` throws, 404 `time_entry_not_found`, and 403
 * `not_your_entry` for a manager.
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
    const before = await mine(tx, actor, membership, id);
    const { projectId, description, billable, tags, startedAt, endedAt } = input;
    const left = before.project_id ? await Project.track(tx, workspaceId, before.project_id, now) : undefined;
    const moves = projectId !== undefined && projectId !== before.project_id;
    const joined = moves && projectId ? await Project.track(tx, workspaceId, projectId, now) : undefined;
    const after = settled({
      ...before,
      ...(description !== undefined && { description }),
      ...(billable !== undefined && { billable }),
      ...(tags !== undefined && { tags: [...new Set(tags)] }),
      ...(startedAt !== undefined && { started_at: startedAt }),
      ...(endedAt !== undefined && { ended_at: endedAt }),
      ...(moves && { project_id: projectId, ...(await rateOf(tx, workspaceId, joined)) }),
    });
    demandOrder(after.started_at, after.ended_at, now);
    const changes = Event.changes(described(before), described(after));
    if (Object.keys(changes).length === 0) return entry(before, now);
    await save(tx, { ...after, updated_at: now });
    await record(tx, actor, "time_entry.updated", after, changes, now);
    const project = moves ? joined : left;
    if (project) await Budget.warn(tx, actor, project, now);
    return entry({ ...after, updated_at: now }, now);
  });
}

/** Remove the caller's own entry. Throws 404 `time_entry_not_found`, 403 `not_your_entry` and 409 `project_archived`. */
export async function remove(
  actor: Actor,
  membership: Membership,
  id: string,
  now: Date = Clock.now(),
): Promise<void> {
  await transaction(async (tx) => {
    const row = await mine(tx, actor, membership, id);
    if (row.project_id) await Project.track(tx, membership.workspaceId, row.project_id, now);
    await tx.deleteFrom("time_entries").where("id", "=", id).execute();
    await record(tx, actor, "time_entry.deleted", row, Event.changes(described(row), {}), now);
  });
}

/** End a running entry: its duration and its amount are fixed. Part of whatever ends it. */
export async function finish(tx: Tx, by: Event.By, row: Row, now: Date): Promise<Row> {
  const end = wholeSecond(now);
  const after = settled({ ...row, ended_at: end < row.started_at ? row.started_at : end, updated_at: now });
  await save(tx, after);
  await record(tx, by, "time_entry.stopped", after, Event.changes(described(row), described(after)), now);
  return after;
}

/** Turns entries into another currency, each in its place; undefined where there is no rate. */
export type Convert = (entries: readonly Entry[]) => Promise<readonly (Converted | undefined)[]>;

/** Entries as they are shown: with their people, whose pictures are signed now, and converted when asked for. */
export async function shown(entries: readonly Entry[], convert?: Convert): Promise<View[]> {
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
    // Somebody whose account is gone keeps their time in the workspace, without a name.
    const user = users.get(entry.userId) ?? { id: entry.userId, name: "", avatar: "" };
    return { ...entry, user, ...(converted && { converted: converted[at] ?? null }) };
  });
}

/** The same for one entry. */
export async function shownOne(entry: Entry): Promise<View> {
  const [view] = await shown([entry]);
  return view as View;
}

/** An entry as its row says; a timer counts until now. */
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

/** The row with its duration and amount, which a timer does not have yet. */
function settled(row: Row): Row {
  if (!row.ended_at) return row;
  const seconds = elapsedSeconds(row.started_at, row.ended_at);
  return { ...row, duration_seconds: seconds, amount_minor: price(row, seconds) };
}

function price({ billable, hourly_rate_minor: rate }: Row, seconds: number): bigint {
  return billable && rate !== null ? cost(seconds, rate) : 0n;
}

/** The caller's own entry, to be changed. */
async function mine(tx: Tx, actor: Actor, membership: Membership, id: string): Promise<Row> {
  const row = await tx
    .selectFrom("time_entries")
    .selectAll()
    .where("id", "=", id)
    .where("workspace_id", "=", membership.workspaceId)
    .executeTakeFirst();
  if (row?.user_id === actor.userId) return row;
  if (row && reaches(membership.role, "manager"))
    throw new Fault("forbidden", "not_your_entry", "Only the person whose time it is may change it.");
  throw missing();
}

async function save(tx: Tx, row: Row): Promise<void> {
  const { id, ...values } = row;
  await tx
    .updateTable("time_entries")
    .set({ ...values, tags: JSON.stringify(row.tags) })
    .where("id", "=", id)
    .execute();
}

/** What the entry is paid by: the project's terms as they stand now. */
async function rateOf(tx: Tx, workspaceId: string, project: Project.Row | undefined) {
  if (project) return { hourly_rate_minor: project.hourly_rate_minor, currency: project.currency };
  const { baseCurrency } = await settings(tx, workspaceId);
  return { hourly_rate_minor: null, currency: baseCurrency };
}

function demandOrder(startedAt: Date, endedAt: Date | null, now: Date): void {
  if (!endedAt && startedAt > now)
    throw invalid({ pointer: "/startedAt" }, "in_the_future", "A running timer was started before now.");
  if (!endedAt) return;
  if (endedAt < startedAt)
    throw invalid({ pointer: "/endedAt" }, "ends_before_start", "It ends before it starts.");
  if (elapsedSeconds(startedAt, endedAt) > maxDays * 86_400)
    throw invalid({ pointer: "/endedAt" }, "too_long", `An entry lasts ${maxDays} days at most.`);
}

async function unlessRunning<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!violates(error, "time_entries_running")) throw error;
    throw new Fault(
      "conflict",
      "timer_already_running",
      "A timer of yours is already running in this workspace: stop it first.",
    );
  }
}

/** What people say about an entry, and what its audit entries compare. */
function described(row: Row) {
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
  by: Event.By,
  action: Event.Action,
  { id, description, workspace_id: workspaceId }: Row,
  changes: Event.Changes,
  at: Date,
): Promise<void> {
  const target = { type: "time_entry", id, name: description } as const;
  await Event.record(tx, by, { action, target, workspaceId, changes }, at);
}
