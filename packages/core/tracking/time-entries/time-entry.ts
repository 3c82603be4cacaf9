import type { ExpressionBuilder, Selectable } from "kysely";
import * as z from "zod/mini";
import * as Avatar from "../../avatar/resolve.ts";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { CurrencyCode } from "../../base/currency-code.ts";
import { dayIn } from "../../base/day.ts";
import { InstantWithOffset } from "../../base/day-bounds.ts";
import { Fault } from "../../base/fault.ts";
import { Id, newId } from "../../base/id.ts";
import { type IfMatch, requireMatch } from "../../base/if-match.ts";
import { Instant } from "../../base/instant.ts";
import { invalid } from "../../base/invalid.ts";
import { Note, singleLine } from "../../base/text.ts";
import * as Event from "../../event/event.ts";
import { Converted } from "../../money/convert.ts";
import * as Currency from "../../money/currency.ts";
import * as Money from "../../money/money.ts";
import * as PeriodLock from "../../money/period-lock.ts";
import { db, type Reader, type Tx } from "../../platform/db/engine.ts";
import type { Schema, TimeEntries } from "../../platform/db/schema.ts";
import { transaction, violates } from "../../platform/db/transaction.ts";
import { executeUnlessChanged, newVersion, versionOf } from "../../platform/db/version.ts";
import { type Membership, reaches } from "../../workspace/authorization.ts";
import { requireCorrectable } from "../../workspace/members/correction.ts";
import * as Member from "../../workspace/members/member.ts";
import { settings } from "../../workspace/workspace.ts";
import { cost } from "../amounts/amount.ts";
import { elapsedSeconds, wholeSecond } from "../amounts/elapsed.ts";
import * as Sums from "../amounts/sums.ts";
import * as Budget from "../budgets/budget.ts";
import * as Project from "../projects/project.ts";

export const maxTags = 20;

/** The longest time entry that a request can create. A timer can run longer. */
export const maxDays = 366;

export const Tag = singleLine(1, 50);

/** An instant from 1970 to 2099 with any UTC offset, rounded down to a whole second. */
export const TrackedInstant = z.pipe(
  InstantWithOffset,
  z.transform((text) => wholeSecond(new Date(text))),
);

const entryFields = {
  id: Id,
  userId: Id,
  projectId: z.nullable(Id),
  description: z.string(),
  startedAt: Instant,
  /** Null while the timer runs. `durationSeconds` and `amount` then count until now. */
  endedAt: z.nullable(Instant),
  durationSeconds: z.int(),
  billable: z.boolean(),
  /** A decimal amount in `currency`: the project's rate at the time of writing. */
  hourlyRate: z.nullable(z.string()),
  /** A decimal amount in `currency`. Zero for entries that are not billable or have no rate. */
  amount: z.string(),
  currency: CurrencyCode,
  tags: z.array(z.string()),
  createdAt: Instant,
  updatedAt: Instant,
  /** The user who created or changed the entry last. Null if unknown, as for entries older than this field. */
  updatedBy: z.nullable(z.string()),
  /** The ETag without its quotes. Changes with the entry, but not with the name and picture of its user. */
  version: z.string(),
};

/** A time entry as stored. `View` adds data that is looked up for display. */
export const Entry = z.object(entryFields);
export type Entry = z.infer<typeof Entry>;

export const Person = z.object({ id: Id, name: z.string(), ...Avatar.fields });
export type Person = z.infer<typeof Person>;

export const View = z.object({
  ...entryFields,
  user: Person,
  /** The user of `updatedBy`. */
  updater: z.nullable(Person),
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

/** Without `endedAt`, or with null, the entry is a running timer that started at `startedAt`. */
const Times = z.object({ startedAt: TrackedInstant, endedAt: z.optional(z.nullable(TrackedInstant)) });

/**
 * Without `endedAt`, the entry is a running timer that started at `startedAt`. `userId` is the user whose time it is, by default
 * the caller.
 */
export const Create = z.object({ ...Details.shape, ...Times.shape, userId: z.optional(Id) });
export type Create = z.infer<typeof Create>;

/** Setting `endedAt` stops a running timer. */
export const Update = z.partial(z.object({ ...Details.shape, ...Times.shape }));
export type Update = z.infer<typeof Update>;

export type Row = Selectable<TimeEntries>;

/** Returns the fault for an unknown entry, and for one that the caller may not read. */
export function notFound(): Fault {
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
 * Creates a time entry of the caller, or of another user whose entries the caller may correct. The entry keeps the project's
 * current rate and currency. Throws `missing` `project_not_found`, `conflict` `project_archived`, `conflict`
 * `timer_already_running`, `invalid` for an entry that ends before it starts or is too long, whose currency ended before it
 * starts, and for a timer of another user, `forbidden` `insufficient_role`, `missing` `member_not_found`, and `conflict`
 * `period_locked`.
 */
export async function create(
  actor: Actor,
  membership: Membership,
  input: Create,
  now: Date = Clock.now(),
): Promise<Entry> {
  const { startedAt, endedAt = null, userId = actor.userId, ...details } = input;
  if (userId !== actor.userId && !endedAt)
    throw invalid(
      { pointer: "/endedAt" },
      "required",
      "End is required: you cannot start another user’s timer.",
    );
  return insert(actor, membership, "time_entry.created", { ...details, userId }, startedAt, endedAt, now);
}

/** Inserts a time entry or a timer and records `action`. Throws what `create` throws. */
export async function insert(
  actor: Actor,
  membership: Membership,
  action: Event.InternalAction,
  details: Details & { userId: string },
  startedAt: Date,
  endedAt: Date | null,
  now: Date,
): Promise<Entry> {
  return translateRunningTimer(
    transaction((tx) => insertIn(tx, actor, membership, action, details, startedAt, endedAt, now)),
  );
}

/** `insert`, inside the caller's transaction. */
async function insertIn(
  tx: Tx,
  actor: Actor,
  membership: Membership,
  action: Event.InternalAction,
  { userId, projectId = null, description = "", tags = [], billable }: Details & { userId: string },
  startedAt: Date,
  endedAt: Date | null,
  now: Date,
): Promise<Entry> {
  validateTimes(startedAt, endedAt, now);
  const { workspaceId } = membership;
  if (userId !== actor.userId) {
    await requireCorrectable(tx, actor, membership, userId);
    await Member.find(tx, membership, userId);
  }
  const project = projectId
    ? await Project.enter(tx, { workspaceId, id: projectId, userId }, now)
    : undefined;
  const row = withTotals({
    id: newId("tim", now),
    workspace_id: workspaceId,
    user_id: userId,
    project_id: projectId,
    description,
    started_at: startedAt,
    ended_at: endedAt,
    duration_seconds: null,
    billable: billable ?? project?.billable ?? false,
    ...(await rateOf(tx, workspaceId, project)),
    amount_minor: null,
    tags: [...new Set(tags)],
    created_at: now,
    updated_at: now,
    updated_by: actor.userId,
    version: null,
  });
  requireUsableCurrency(membership, row, "/projectId");
  const stored = await write(tx, undefined, row, { now });
  await record(tx, actor, action, row, Event.changes({}, auditFields(row)), now);
  if (project) await Budget.warn(tx, actor, project, now);
  return entry(stored, now);
}

/**
 * Updates the given fields of a time entry of the caller, or of another user whose entries the caller may correct. The entry
 * keeps its rate, unless it moves to another project and gets that project's rate. Throws what `create` throws except
 * `member_not_found`, `missing` `time_entry_not_found`, `stale` `changed_meanwhile`, and `invalid` `already_stopped` for a
 * finished entry without an end.
 */
export async function update(
  actor: Actor,
  membership: Membership,
  id: string,
  input: Update,
  ifMatch?: IfMatch,
  now: Date = Clock.now(),
): Promise<Entry> {
  const { workspaceId } = membership;
  return transaction(async (tx) => {
    const before = await fetchChangeable(tx, actor, membership, id, ifMatch, now);
    const { projectId } = input;
    const enter = (id: string) => Project.enter(tx, { workspaceId, id, userId: before.user_id }, now);
    const left = before.project_id ? await enter(before.project_id) : undefined;
    const moves = projectId !== undefined && projectId !== before.project_id;
    const joined = moves && projectId ? await enter(projectId) : undefined;
    const rate = moves ? await rateOf(tx, workspaceId, joined) : undefined;
    const changed = updated(membership, before, input, rate, now);
    const changes = Event.changes(auditFields(before), auditFields(changed));
    if (Object.keys(changes).length === 0) return entry(before, now);
    const written = { ...changed, updated_at: now, updated_by: actor.userId };
    const after = await write(tx, before, written, { now });
    await record(tx, actor, "time_entry.updated", after, changes, now);
    const project = moves ? joined : left;
    if (project) await Budget.warn(tx, actor, project, now);
    return entry(after, now);
  });
}

/**
 * Returns an entry with the given fields changed. `rate` is that of the project that the entry moves to, if it moves. Throws
 * `invalid` for times that are not valid, `already_stopped` for a finished entry without an end, and `currency_ended`.
 */
export function updated(
  membership: Membership,
  before: Row,
  input: Update,
  rate: Rate | undefined,
  now: Date,
): Row {
  if (input.endedAt === null && before.ended_at)
    throw invalid(
      { pointer: "/endedAt" },
      "already_stopped",
      "A finished entry cannot run again. Start a new timer.",
    );
  const row = withNewTotals(before, {
    ...before,
    ...columnsFrom(input),
    ...(rate && { project_id: input.projectId ?? null, ...rate }),
  });
  validateTimes(row.started_at, row.ended_at, now);
  if (rate) requireUsableCurrency(membership, row, "/projectId");
  else if (row.started_at > before.started_at) requireUsableCurrency(membership, row, "/startedAt");
  return row;
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
 * Deletes a time entry of the caller, or of another user whose entries the caller may correct. Throws `missing`
 * `time_entry_not_found`, `forbidden` `insufficient_role`, `stale` `changed_meanwhile`, and `conflict` `project_archived` and
 * `period_locked`.
 */
export async function remove(
  actor: Actor,
  membership: Membership,
  id: string,
  ifMatch?: IfMatch,
  now: Date = Clock.now(),
): Promise<void> {
  await transaction(async (tx) => {
    const row = await fetchChangeable(tx, actor, membership, id, ifMatch, now);
    const { workspace_id: workspaceId, project_id: projectId, user_id: userId } = row;
    if (projectId) await Project.enter(tx, { workspaceId, id: projectId, userId }, now);
    await write(tx, row, undefined, { now });
    await record(tx, actor, "time_entry.deleted", row, Event.changes(auditFields(row), {}), now);
  });
}

/**
 * Creates a copy of a time entry that the caller may change, for the same user and with the same times, project, description,
 * tags and billable state. Like every new entry, it has the current rate of its project. Throws what `create` throws, `missing`
 * `time_entry_not_found`, and `conflict` `timer_already_running` for a running timer.
 */
export async function duplicate(
  actor: Actor,
  membership: Membership,
  id: string,
  now: Date = Clock.now(),
): Promise<Entry> {
  return transaction(async (tx) => {
    const source = await fetchChangeable(tx, actor, membership, id, undefined, now);
    const { user_id: userId, project_id: projectId, description, tags, billable } = source;
    if (!source.ended_at)
      throw new Fault(
        "conflict",
        "timer_already_running",
        "This timer is running, and each user can have only one. Stop it first.",
      );
    const details = { userId, projectId, description, tags, billable };
    const { started_at, ended_at } = source;
    return insertIn(tx, actor, membership, "time_entry.created", details, started_at, ended_at, now);
  });
}

export const Split = z.object({ at: TrackedInstant });
export type Split = z.infer<typeof Split>;

/**
 * Splits a time entry that the caller may change at an instant. The entry keeps its id and ends there; a new entry with the same
 * details, user and rate has the rest. A timer goes on in the new entry.
 *
 * The durations and the amounts of both parts add up to those of the entry: the amount of the first part is rounded like that of
 * every entry, and the second part has the rest, which can differ from its own rounded amount by one minor unit.
 *
 * Throws `missing` `time_entry_not_found`, `forbidden` `insufficient_role`, `conflict` `project_archived`, and `invalid`
 * `outside_entry` unless the instant is after the start and before the end, or before now for a timer, and
 * `currency_ended` for an instant after the last day of the currency.
 */
export async function split(
  actor: Actor,
  membership: Membership,
  id: string,
  { at }: Split,
  now: Date = Clock.now(),
): Promise<[Entry, Entry]> {
  return transaction(async (tx) => {
    const before = await fetchChangeable(tx, actor, membership, id, undefined, now);
    if (at <= before.started_at || at >= (before.ended_at ?? wholeSecond(now)))
      throw invalid(
        { pointer: "/at" },
        "outside_entry",
        "Time must be after the start of the entry and before its end.",
      );
    const { workspace_id: workspaceId, project_id: projectId, user_id: userId } = before;
    const project = projectId
      ? await Project.enter(tx, { workspaceId, id: projectId, userId }, now)
      : undefined;
    const [ending, rest] = parts(before, at, { updated_at: now, updated_by: actor.userId });
    requireUsableCurrency(membership, rest, "/at");
    // A user has one running timer, so the first part ends before the second begins.
    const first = await write(tx, before, ending, { now });
    const second = await write(tx, undefined, rest, { now });
    const ended = Event.changes(auditFields(before), auditFields(first));
    await record(tx, actor, "time_entry.updated", first, ended, now);
    await record(tx, actor, "time_entry.created", second, Event.changes({}, auditFields(second)), now);
    if (project) await Budget.warn(tx, actor, project, now);
    return [entry(first, now), entry(second, now)];
  });
}

/** Returns the two parts of an entry that is split at an instant inside it. */
function parts(row: Row, at: Date, written: Pick<Row, "updated_at" | "updated_by">): [Row, Row] {
  const first = withTotals({ ...row, ended_at: at, ...written });
  const { updated_at: created_at } = written;
  const second = withTotals({ ...row, id: newId("tim", created_at), started_at: at, created_at, ...written });
  const { amount_minor: total } = row;
  if (total === null || first.amount_minor === null) return [first, second];
  // The total of an entry that was split before can be less than that of its duration.
  const amount_minor = first.amount_minor < total ? first.amount_minor : total;
  return [
    { ...first, amount_minor },
    { ...second, amount_minor: total - amount_minor },
  ];
}

/** Stops a running timer and stores its duration and amount, inside the caller's transaction. */
export async function finish(tx: Tx, by: Event.EventActor, row: Row, now: Date): Promise<Row> {
  const end = wholeSecond(now);
  const stopped = withTotals({
    ...row,
    ended_at: end < row.started_at ? row.started_at : end,
    updated_at: now,
    updated_by: "job" in by ? null : by.userId,
  });
  const after = await write(tx, row, stopped, { now, stops: true });
  await record(tx, by, "time_entry.stopped", after, Event.changes(auditFields(row), auditFields(after)), now);
  return after;
}

/** Converts the amounts of entries, in the same order. Undefined for an entry without a rate. */
export type Convert = (entries: readonly Entry[]) => Promise<readonly (Converted | undefined)[]>;

/**
 * Adds the users of entries and those who changed them, with newly signed avatar URLs, and the converted amounts when `convert`
 * is given.
 */
export async function views(
  entries: readonly Entry[],
  convert?: Convert,
  reader: Reader = db(),
): Promise<View[]> {
  const ids = [...new Set(entries.flatMap(({ userId, updatedBy }) => [userId, updatedBy ?? userId]))];
  const [people, converted] = await Promise.all([
    ids.length === 0
      ? []
      : reader
          .selectFrom("users")
          .select(["id", "name", ...Avatar.columns])
          .where("id", "in", ids)
          .execute(),
    convert?.(entries),
  ]);
  const avatars = Avatar.resolveAll(people);
  const users = new Map(
    people.map(({ id, name }, at) => [id, { id, name, ...(avatars[at] ?? Avatar.none) }]),
  );
  // The entries of a deleted account stay in the workspace, without a name.
  const person = (id: string): Person => users.get(id) ?? { id, name: "", ...Avatar.none };
  return entries.map((entry, at) => {
    const { userId, updatedBy } = entry;
    const updater = updatedBy === null ? null : person(updatedBy);
    return {
      ...entry,
      user: person(userId),
      updater,
      ...(converted && { converted: converted[at] ?? null }),
    };
  });
}

/** Adds the user of an entry. */
export async function viewOf(entry: Entry, reader?: Reader): Promise<View> {
  const [view] = await views([entry], undefined, reader);
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
    updatedBy: row.updated_by,
    version: versionOf(row),
  };
}

/** Returns the row with its duration and amount. A running timer has neither. */
function withTotals(row: Row): Row {
  if (!row.ended_at) return row;
  const seconds = elapsedSeconds(row.started_at, row.ended_at);
  return { ...row, duration_seconds: seconds, amount_minor: price(row, seconds) };
}

/**
 * Returns the changed row with its duration and amount. They stay as they are unless something changed that they depend on: the
 * amount of an entry that was split is rounded together with that of the other part.
 */
function withNewTotals(before: Row, after: Row): Row {
  const basis = ({ started_at, ended_at, billable, hourly_rate_minor, currency }: Row) =>
    [started_at.getTime(), ended_at?.getTime(), billable, hourly_rate_minor, currency].join();
  return basis(before) === basis(after) ? after : withTotals(after);
}

function price({ billable, hourly_rate_minor: rate }: Row, seconds: number): bigint {
  return billable && rate !== null ? cost(seconds, rate) : 0n;
}

/** Throws `invalid` `currency_ended` when the currency of an entry ended before its day. */
function requireUsableCurrency({ timezone }: Membership, row: Row, pointer: string): void {
  Currency.requireUsableOn(row.currency, dayIn(timezone, row.started_at), { pointer });
}

/**
 * Loads an entry that the caller may change: a member's own, and for managers one that they may correct. Throws `stale`
 * `changed_meanwhile` for another version than `ifMatch`.
 */
async function fetchChangeable(
  tx: Tx,
  actor: Actor,
  membership: Membership,
  id: string,
  ifMatch: IfMatch | undefined,
  now: Date,
): Promise<Row> {
  const row = await tx
    .selectFrom("time_entries")
    .selectAll()
    .where("id", "=", id)
    .where("workspace_id", "=", membership.workspaceId)
    .executeTakeFirst();
  if (row?.user_id !== actor.userId) {
    if (!row || !reaches(membership.role, "manager")) throw notFound();
    await requireCorrectable(tx, actor, membership, row.user_id);
  }
  await requireMatch(ifMatch, versionOf(row), () => viewOf(entry(row, now), tx));
  return row;
}

/**
 * Inserts, updates or deletes an entry, and changes the sums of its project. Returns the written row, with its new version. Every
 * change of an entry goes through here. `before` is the row as this transaction read it: if it has changed since, the
 * transaction runs again. `stops` skips the check of the locked period: a lock is refused while a timer of its days runs, so a
 * timer on a locked day is older than the plan, and its user must be able to leave. Throws `conflict` `period_locked`.
 */
async function write(tx: Tx, before: Row | undefined, after: Row, options: WriteOptions): Promise<Row>;
async function write(tx: Tx, before: Row, after: undefined, options: WriteOptions): Promise<undefined>;
async function write(
  tx: Tx,
  before: Row | undefined,
  after: Row | undefined,
  { now, stops = false }: WriteOptions,
): Promise<Row | undefined> {
  if (!stops) await enterPeriod(tx, [{ before, after }], now);
  const stored = await store(tx, before, after);
  await Sums.change(tx, { removed: before ? [before] : [], added: stored ? [stored] : [] });
  return stored;
}

/** An entry as the transaction read it, and as it will be. Undefined before it is created, and after it is deleted. */
export type Change = { before: Row | undefined; after: Row | undefined };

/** `write` for several entries that the transaction has read. Returns the written rows, in the same order. */
export async function writeAll(tx: Tx, changes: readonly Change[], now: Date): Promise<(Row | undefined)[]> {
  await enterPeriod(tx, changes, now);
  const stored: (Row | undefined)[] = [];
  for (const { before, after } of changes) stored.push(await store(tx, before, after));
  await Sums.change(tx, {
    removed: changes.flatMap(({ before }) => before ?? []),
    added: stored.flatMap((row) => row ?? []),
  });
  return stored;
}

/** Requires that changes of entries change no locked day. Throws `conflict` `period_locked`. */
export async function enterPeriod(tx: Tx, changes: readonly Change[], now: Date): Promise<void> {
  const rows = changes.flatMap(({ before, after }) => [before, after].filter((row) => row !== undefined));
  for (const [userId, own] of Map.groupBy(rows, ({ user_id }) => user_id)) {
    const [{ workspace_id: workspaceId }] = own as [Row, ...Row[]];
    const starts = own.map(({ started_at }) => started_at);
    await PeriodLock.enterAt(tx, { workspaceId, userId }, starts, now);
  }
}

/** Inserts, updates or deletes the row of an entry, without the sums of its project. */
async function store(tx: Tx, before: Row | undefined, after: Row | undefined): Promise<Row | undefined> {
  const stored = after && { ...after, version: newVersion() };
  if (!before) {
    if (stored) await tx.insertInto("time_entries").values(columnsOf(stored)).execute();
  } else {
    const same = (eb: ExpressionBuilder<Schema, "time_entries">) =>
      eb.and([eb("id", "=", before.id), eb("version", "is not distinct from", before.version)]);
    await executeUnlessChanged(
      stored
        ? tx.updateTable("time_entries").set(columnsOf(stored)).where(same).returning("id")
        : tx.deleteFrom("time_entries").where(same).returning("id"),
    );
  }
  return stored;
}

type WriteOptions = { now: Date; stops?: boolean };

function columnsOf(row: Row & { version: string }) {
  return { ...row, tags: JSON.stringify(row.tags) };
}

type Rate = Pick<Row, "hourly_rate_minor" | "currency">;

/** Returns the current rate and currency of a project, or only the base currency without a project. */
export async function rateOf(tx: Tx, workspaceId: string, project: Project.Row | undefined): Promise<Rate> {
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
export function auditFields(row: Row) {
  return {
    userId: row.user_id,
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
  row: Row,
  changed: Event.Changes,
  at: Date,
): Promise<void> {
  await Event.record(tx, by, eventOf(by, action, row, changed), at);
}

/** Returns the event of a change of an entry. */
export function eventOf(
  by: Event.EventActor,
  action: Event.InternalAction,
  { id, description, workspace_id: workspaceId, user_id: userId }: Row,
  changed: Event.Changes,
): Event.RecordedIn {
  const isOwn = "userId" in by && by.userId === userId;
  // Corrections always say whose entry it is, because the entry may be deleted later.
  const changes = isOwn ? changed : { userId: { before: userId, after: userId }, ...changed };
  return { action, target: { type: "time_entry", id, name: description }, workspaceId, changes };
}
