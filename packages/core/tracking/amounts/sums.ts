import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely";
import { addDays } from "../../base/day.ts";
import { monthOf } from "../../base/day-bounds.ts";
import type { Reader, Tx } from "../../platform/db/engine.ts";
import type { ProjectSums, Projects, TimeEntries } from "../../platform/db/schema.ts";

/** The columns of an entry that sums depend on. Running timers, and entries without a project, are in no sum. */
export type Entry = Pick<
  Selectable<TimeEntries>,
  "project_id" | "user_id" | "currency" | "started_at" | "amount_minor" | "duration_seconds"
>;

/** Instants from `since` up to but not including `before`. */
export type Range = { since: Date; before: Date };

export type Amounts = { minor: bigint; seconds: bigint };

/** The columns that identify a sum. */
export const key = ["project_id", "unit", "starts_on", "user_id", "currency"] as const;

export type Sum = Pick<ProjectSums, (typeof key)[number]> & Amounts;

/**
 * Adds and removes entries in the sums of their projects. Call it in the transaction that writes the entries. An edit
 * removes the entry as it was and adds it as it is.
 */
export async function change(
  tx: Tx,
  { removed = [], added = [] }: { removed?: readonly Entry[]; added?: readonly Entry[] },
): Promise<void> {
  await add(
    tx,
    collect([
      ...removed.flatMap((entry) => sumsOf(entry, -1n)),
      ...added.flatMap((entry) => sumsOf(entry, 1n)),
    ]),
  );
}

/** Adds amounts, which may be negative, to sums with different keys. A sum that becomes zero is deleted. */
export async function add(tx: Tx, amounts: readonly Sum[]): Promise<void> {
  const sums = amounts.filter((sum) => !isEmpty(sum));
  if (sums.length === 0) return;
  await tx
    .insertInto("project_sums")
    .values(sums)
    .onConflict((conflict) =>
      conflict.columns([...key]).doUpdateSet({
        minor: sql`project_sums.minor + excluded.minor`,
        seconds: sql`project_sums.seconds + excluded.seconds`,
      }),
    )
    .execute();
  const reduced = sums.filter(({ minor, seconds }) => minor < 0n || seconds < 0n);
  if (reduced.length === 0) return;
  const keys = reduced.map((sum) => sql`(${sql.join(key.map((column) => sum[column]))})`);
  const columns = sql.join(key.map((column) => sql.ref(column)));
  await sql`DELETE FROM project_sums
    WHERE minor = 0 AND seconds = 0 AND (${columns}) IN (${sql.join(keys)})`.execute(tx);
}

/**
 * Returns the amounts that the sums of a project lack in whole months, from the day `first` up to but not including `next`.
 * The amount of a sum that is too large is negative.
 */
export async function missing(
  reader: Reader,
  projectId: string,
  first: string,
  next: string,
): Promise<Sum[]> {
  const days = await sql<Omit<Entry, "started_at"> & { day: number; minor: string; seconds: string }>`
    SELECT user_id, currency, floor(extract(epoch FROM started_at) / 86400)::int4 AS day,
      sum(amount_minor)::text AS minor, sum(duration_seconds)::text AS seconds
    FROM time_entries
    WHERE project_id = ${projectId} AND ended_at IS NOT NULL
      AND started_at >= ${new Date(first)} AND started_at < ${new Date(next)}
    GROUP BY user_id, currency, day`.execute(reader);
  const kept = await reader
    .selectFrom("project_sums")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("unit", "in", ["month", "day"])
    .where("starts_on", ">=", first)
    .where("starts_on", "<", next)
    .execute();
  return collect([
    ...days.rows.flatMap(({ user_id, currency, day, minor, seconds }) =>
      ofDay({ project_id: projectId, user_id, currency }, dayOf(new Date(day * 86_400_000)), {
        minor: BigInt(minor),
        seconds: BigInt(seconds),
      }),
    ),
    ...kept.map((sum) => ({ ...sum, minor: -BigInt(sum.minor), seconds: -sum.seconds })),
  ]).filter((sum) => !isEmpty(sum));
}

type Summed = Pick<Selectable<Projects>, "id" | "sums_complete_at">;

/**
 * Returns the amounts of projects' finished entries that started in each range, by project and currency, with one statement.
 * `groups` has projects with the same ranges. Whole months and days come from the sums, and the rest from the entries at
 * both ends. While the sums of a project are not complete, everything comes from its entries.
 */
export async function inRanges<Name extends string>(
  reader: Reader,
  groups: readonly { projects: readonly Summed[]; ranges: Record<Name, Range> }[],
): Promise<{ projectId: string; name: Name; currency: string; amounts: Amounts }[]> {
  const parts = groups.flatMap(({ projects, ranges }) => {
    const [complete, incomplete] = [true, false].map((is) =>
      projects.filter((project) => (project.sums_complete_at !== null) === is).map(({ id }) => id),
    ) as [string[], string[]];
    return (Object.keys(ranges) as Name[]).flatMap((name) => [
      ...(complete.length > 0 ? partsOf(ranges[name]).map((part) => rowsOf(complete, name, part)) : []),
      ...(incomplete.length > 0
        ? [rowsOf(incomplete, name, { unit: "entry", sign: 1, ...ranges[name] })]
        : []),
    ]);
  });
  if (parts.length === 0) return [];
  type Row = { project_id: string; name: Name; currency: string; minor: string; seconds: string };
  const { rows } = await sql<Row>`
    SELECT project_id, name, currency, sum(minor)::text AS minor, sum(seconds)::text AS seconds
    FROM (${sql.join(parts, sql` UNION ALL `)}) AS parts
    GROUP BY project_id, name, currency`.execute(reader);
  return rows.map(({ project_id: projectId, name, currency, minor, seconds }) => ({
    projectId,
    name,
    currency,
    amounts: { minor: BigInt(minor), seconds: BigInt(seconds) },
  }));
}

/** A part of a range: whole months or days in UTC, from the first up to but not including the last, or entries. */
export type Part =
  | { unit: "month" | "day"; from: string; to: string }
  | ({ unit: "entry"; sign: 1 | -1 } & Range);

/**
 * Divides a range that is not empty into parts: as many whole months as possible, then days, then the entries before the first
 * day. The last day counts as a whole, less the entries that start after the range. Ranges of budgets end now or later, so
 * there are few.
 */
export function partsOf({ since, before }: Range): Part[] {
  const days = { from: dayFrom(since), to: dayFrom(before) };
  if (days.from === days.to) return [{ unit: "entry", sign: 1, since, before }];
  const months = { from: monthFrom(days.from), to: monthOf(days.to).first };
  const whole: Part[] =
    months.from < months.to
      ? [
          { unit: "day", from: days.from, to: months.from },
          { unit: "month", ...months },
          { unit: "day", from: months.to, to: days.to },
        ]
      : [{ unit: "day", ...days }];
  const parts: Part[] = [
    { unit: "entry", sign: 1, since, before: new Date(days.from) },
    ...whole,
    { unit: "entry", sign: -1, since: before, before: new Date(days.to) },
  ];
  return parts.filter((part) => (part.unit === "entry" ? part.since < part.before : part.from < part.to));
}

/** Returns the UTC day of an instant. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** Returns the first day that begins at this instant or later. */
function dayFrom(at: Date): string {
  const day = dayOf(at);
  return Date.parse(day) === at.getTime() ? day : addDays(day, 1);
}

/** Returns the first day of the first month that begins on this day or later. */
function monthFrom(day: string): string {
  const { first, next } = monthOf(day);
  return day === first ? first : next;
}

/** Returns a condition whose text for one id is always the same, so that the statement can be prepared. */
export function isOneOf(column: string, ids: readonly string[]): RawBuilder<SqlBool> {
  const [id] = ids;
  return ids.length === 1
    ? sql<SqlBool>`${sql.ref(column)} = ${id}`
    : sql<SqlBool>`${sql.ref(column)} IN (${sql.join(ids)})`;
}

function rowsOf(projectIds: readonly string[], name: string, part: Part): RawBuilder<unknown> {
  const isOfProjects = isOneOf("project_id", projectIds);
  if (part.unit === "entry") {
    const sign = sql.lit(part.sign);
    return sql`
      SELECT project_id, ${sql.lit(name)} AS name, currency,
        ${sign} * amount_minor AS minor, ${sign} * duration_seconds AS seconds
      FROM time_entries
      WHERE ${isOfProjects} AND ended_at IS NOT NULL
        AND started_at >= ${part.since} AND started_at < ${part.before}`;
  }
  return sql`
    SELECT project_id, ${sql.lit(name)} AS name, currency, minor, seconds FROM project_sums
    WHERE ${isOfProjects} AND unit = ${part.unit}
      AND starts_on >= ${part.from} AND starts_on < ${part.to}`;
}

/** Returns what an entry contributes to sums, times `sign`. */
function sumsOf(entry: Entry, sign: 1n | -1n): Sum[] {
  const { project_id, user_id, currency, started_at, duration_seconds, amount_minor } = entry;
  if (project_id === null || duration_seconds === null) return [];
  return ofDay({ project_id, user_id, currency }, dayOf(started_at), {
    minor: sign * (amount_minor ?? 0n),
    seconds: sign * BigInt(duration_seconds),
  });
}

/** Returns the sums of a day and of its month to which amounts of that day belong. */
function ofDay(
  owner: Pick<Sum, "project_id" | "user_id" | "currency">,
  day: string,
  amounts: Amounts,
): Sum[] {
  return [
    { ...owner, unit: "month", starts_on: monthOf(day).first, ...amounts },
    { ...owner, unit: "day", starts_on: day, ...amounts },
  ];
}

/** Adds up the sums that have the same key. */
function collect(sums: readonly Sum[]): Sum[] {
  const totals = new Map<string, Sum>();
  for (const sum of sums) {
    const total = totals.get(keyOf(sum));
    if (total) {
      total.minor += sum.minor;
      total.seconds += sum.seconds;
    } else totals.set(keyOf(sum), { ...sum });
  }
  return [...totals.values()];
}

function keyOf(sum: Sum): string {
  return key.map((column) => sum[column]).join(" ");
}

function isEmpty({ minor, seconds }: Amounts): boolean {
  return minor === 0n && seconds === 0n;
}
