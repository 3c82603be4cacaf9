import { type RawBuilder, sql } from "kysely";
import * as z from "zod/mini";
import { type ErrorSource, invalidWithCode } from "../base/invalid.ts";
import * as Money from "../money/money.ts";
import type { Reader } from "../platform/db/engine.ts";
import { type Dimension, overlaps } from "./dimension.ts";
import { type Key, keyReader, labelsOf } from "./dimension-sql.ts";
import { convertedAmount, entrySelects, isWithoutRate, keyColumns, type Rates } from "./entries.ts";
import { bucketsOf, isUnit } from "./period.ts";
import type { ReportScope } from "./report-scope.ts";

/** Maximum number of groups in a response. */
export const maxGroups = 10_000;

/**
 * The sums of entries in one currency. Amounts are in minor units. `converted` leaves out the entries that have an amount but no
 * rate, and `withoutRate` counts them.
 */
export type Part = {
  entryCount: number;
  seconds: number;
  billableSeconds: number;
  amount: bigint;
  converted: bigint;
  withoutRate: number;
};

/** The sums of entries by currency. Amounts in different currencies are never added. */
export type Sum = ReadonlyMap<string, Part>;

export type Group = { key: Key; label: string; sum: Sum; groups: Group[] };

/** The total and the groups of a report. Groups can overlap (tags, teams), so `total` is not always their sum. */
export type Tree = { total: Sum; groups: Group[] };

/** The figures of a group or of the total. */
export const SumView = z.object({
  durationSeconds: z.int(),
  billableSeconds: z.int(),
  entryCount: z.int(),
  /** One amount per currency of the entries, sorted by code. */
  amounts: z.array(Money.View),
  /** Present with `convert_to`: all entries at the rates of their days, or null when a rate is missing. */
  converted: z.optional(z.nullable(Money.View)),
  /** Present with `convert_to`: all entries that have a rate. */
  convertedKnown: z.optional(Money.View),
  /** Present with `convert_to`: whether `convertedKnown` contains all entries. */
  complete: z.optional(z.boolean()),
});
export type SumView = z.infer<typeof SumView>;

/** Formats a sum for a response. */
export function sumView(sum: Sum, convertTo?: string): SumView {
  const parts = [...sum].sort(([a], [b]) => (a < b ? -1 : 1));
  const add = (figure: (part: Part) => number) => parts.reduce((total, [, part]) => total + figure(part), 0);
  return {
    durationSeconds: add(({ seconds }) => seconds),
    billableSeconds: add(({ billableSeconds }) => billableSeconds),
    entryCount: add(({ entryCount }) => entryCount),
    amounts: parts.map(([currency, { amount }]) => Money.view({ minor: amount, currency })),
    ...(convertTo !== undefined && convertedFields(sum, convertTo)),
  };
}

function convertedFields(sum: Sum, currency: string) {
  const minor = [...sum.values()].reduce((total, { converted }) => total + converted, 0n);
  const convertedKnown = Money.view({ minor, currency });
  const complete = isComplete(sum);
  return { converted: complete ? convertedKnown : null, convertedKnown, complete };
}

/** Returns whether every entry of a sum could be converted. */
export function isComplete(sum: Sum): boolean {
  return [...sum.values()].every(({ withoutRate }) => withoutRate === 0);
}

/** Returns the seconds of a sum in all currencies. */
export function secondsOf(sum: Sum): number {
  return [...sum.values()].reduce((total, { seconds }) => total + seconds, 0);
}

/** Compares groups of one level. By default, calendar units are sorted by date and all others by time, longest first. */
export type Order = (a: Group, b: Group) => number;

const byKey: Order = (a, b) => ((a.key ?? "") < (b.key ?? "") ? -1 : 1);
/** Sorts labels alphabetically. */
export const alphabet = new Intl.Collator("en");
const byTime: Order = (a, b) =>
  secondsOf(b.sum) - secondsOf(a.sum) || alphabet.compare(a.label, b.label) || byKey(a, b);

/** The maximum number of groups, and the error for more. */
type Limit = { source: ErrorSource; most?: number; advice?: string };

/**
 * Adds up the entries of a report in the database, grouped by these levels. Throws `invalid` `report_too_large` at `source`,
 * with `advice`, for more than `most` groups.
 */
export async function grouped(
  reader: Reader,
  scope: ReportScope,
  levels: readonly Dimension[],
  rates: Rates | undefined,
  { order, ...limit }: { order?: Order | undefined } & Limit,
): Promise<Tree> {
  const sums = await sumsByDepth(reader, scope, levels, rates, limit);
  const labels = await labelsByLevel(reader, scope, levels, sums);
  return treeOf(levels, sums, labels, order);
}

/** A part of a group: the figures of its entries in one currency. */
type GroupPart = { keys: Key[]; currency: string; part: Part };

/** The groups of one depth by their keys, as JSON. */
type GroupSums = Map<string, { keys: Key[]; sum: Map<string, Part> }>;

/**
 * Returns the groups of each depth, from the total at 0 to the deepest level. The sums of a depth are rolled up from the
 * depth below. For the deepest level, and above a level whose groups overlap, the database adds up the entries instead.
 */
async function sumsByDepth(
  reader: Reader,
  scope: ReportScope,
  levels: readonly Dimension[],
  rates: Rates | undefined,
  limit: Limit,
): Promise<GroupSums[]> {
  const sums: GroupSums[] = [];
  for (let depth = levels.length; depth >= 0; depth--) {
    const [below, levelBelow] = [sums[0], levels[depth]];
    const parts =
      below && levelBelow && !overlaps(levelBelow)
        ? rollUp(below)
        : await aggregate(reader, scope, levels.slice(0, depth), rates, limit.most ?? maxGroups);
    sums.unshift(addUp(parts, limit));
  }
  return sums;
}

/** Returns the parts of these groups with the keys of their parents. */
function rollUp(groups: GroupSums): GroupPart[] {
  return [...groups.values()].flatMap(({ keys, sum }) =>
    [...sum].map(([currency, part]) => ({ keys: keys.slice(0, -1), currency, part })),
  );
}

/** Adds the parts of each group and currency. */
function addUp(
  parts: readonly GroupPart[],
  { source, most = maxGroups, advice = "Choose fewer days or levels." }: Limit,
): GroupSums {
  const groups: GroupSums = new Map();
  let count = 0;
  for (const { keys, currency, part } of parts) {
    const at = JSON.stringify(keys);
    const group = groups.get(at) ?? { keys, sum: new Map() };
    if (!group.sum.has(currency)) count++;
    group.sum.set(currency, plus(group.sum.get(currency), part));
    groups.set(at, group);
  }
  if (count > most)
    throw invalidWithCode(source, "report_too_large", `The report has more than ${most} groups. ${advice}`);
  return groups;
}

type Label = (key: Key) => string;

async function labelsByLevel(
  reader: Reader,
  { period, workspaceId }: ReportScope,
  levels: readonly Dimension[],
  sums: readonly GroupSums[],
): Promise<Label[]> {
  const labels: Label[] = [];
  for (const [at, level] of levels.entries()) {
    const keys = new Set([...(sums[at + 1]?.values() ?? [])].map(({ keys }) => keys.at(-1) ?? null));
    labels.push(await labelsOf(reader, level, period, workspaceId, [...keys]));
  }
  return labels;
}

/** Nests the groups of each depth in those above it and sorts them. */
function treeOf(
  levels: readonly Dimension[],
  sums: readonly GroupSums[],
  labels: readonly Label[],
  order: Order | undefined,
): Tree {
  const children = new Map<string, Group[]>();
  const childrenOf = (keys: readonly Key[]) => {
    const at = JSON.stringify(keys);
    const found = children.get(at) ?? [];
    children.set(at, found);
    return found;
  };
  for (const [at, level] of levels.entries()) {
    for (const { keys, sum } of sums[at + 1]?.values() ?? []) {
      const key = keys.at(-1) ?? null;
      const group = { key, label: labels[at]?.(key) ?? "", sum, groups: childrenOf(keys) };
      childrenOf(keys.slice(0, -1)).push(group);
    }
    for (const { keys } of sums[at]?.values() ?? [])
      childrenOf(keys).sort(order ?? (isUnit(level) ? byKey : byTime));
  }
  return { total: sums[0]?.get("[]")?.sum ?? new Map(), groups: childrenOf([]) };
}

/** Adds two parts of the same group. */
export function plus(a: Part | undefined, b: Part): Part {
  if (!a) return b;
  return {
    entryCount: a.entryCount + b.entryCount,
    seconds: a.seconds + b.seconds,
    billableSeconds: a.billableSeconds + b.billableSeconds,
    amount: a.amount + b.amount,
    converted: a.converted + b.converted,
    withoutRate: a.withoutRate + b.withoutRate,
  };
}

type SumRow = Record<string, unknown> & { currency: string };

/** Adds up the entries of a report by these levels and by currency, in one statement. */
async function aggregate(
  reader: Reader,
  scope: ReportScope,
  levels: readonly Dimension[],
  rates: Rates | undefined,
  most: number,
): Promise<GroupPart[]> {
  const { rows } = await aggregateSql(scope, levels, rates, most).execute(reader);
  const readers = levels.map((level) => keyReader(level, scope.period));
  return rows.map((row) => ({
    currency: row.currency,
    keys: readers.map((read, at) => read(row[`k${at}`])),
    part: {
      entryCount: Number(row.entries),
      seconds: Number(row.seconds),
      billableSeconds: Number(row.billable),
      amount: BigInt(String(row.amount)),
      converted: BigInt(String(row.converted ?? 0)),
      withoutRate: Number(row.without_rate ?? 0),
    },
  }));
}

/** Finished entries and running timers are added up separately, so a group can have two rows of one currency. */
function aggregateSql(
  scope: ReportScope,
  levels: readonly Dimension[],
  rates: Rates | undefined,
  most: number,
): RawBuilder<SumRow> {
  const unit = levels.find(isUnit);
  const names = levels.map((_, at) => sql.ref(`k${at}`));
  const unitName = unit ? names.splice(levels.indexOf(unit), 1) : [];
  const sums = (entries: RawBuilder<unknown>, last: readonly RawBuilder<unknown>[] = []) => sql`
    SELECT ${sql.join([...names, sql`currency`, ...sumColumns(rates), ...last])} FROM (${entries}) AS entry
    GROUP BY ${sql.join([...names, sql`currency`, ...last])}`;
  const columns = keyColumns(levels, scope);
  const { finished, running } = entrySelects({ scope, levels, columns, rates });
  const starts = unit && bucketsOf(scope.period, unit).map(({ start }) => start);
  // With a calendar unit, adds up the finished entries bucket by bucket, which is faster than computing the bucket of every
  // entry: the index is in that order, and a bucket has few groups.
  const ended = starts
    ? sql`SELECT sums.*, bucket.n::int4 AS ${sql.join(unitName)}
      FROM unnest(${starts}::timestamptz[], ${[...starts.slice(1), "infinity"]}::timestamptz[])
        WITH ORDINALITY AS bucket(start, until, n)
      CROSS JOIN LATERAL (${sums(sql`${finished}
        AND time_entries.started_at >= bucket.start AND time_entries.started_at < bucket.until`)}) AS sums`
    : sums(finished);
  // Without MATERIALIZED, the LIMIT would make the planner optimize the sums for the first rows.
  return sql<SumRow>`
    WITH ended AS MATERIALIZED (${ended}), running AS MATERIALIZED (${sums(running, unitName)})
    SELECT * FROM ended UNION ALL SELECT * FROM running LIMIT ${sql.lit(2 * most + 1)}`;
}

/** The sums of a group as text, because they can exceed the numbers that the driver parses exactly. */
function sumColumns(rates: Rates | undefined): RawBuilder<unknown>[] {
  return [
    sql`count(*)::text AS entries`,
    sql`sum(seconds)::text AS seconds`,
    sql`coalesce(sum(seconds) FILTER (WHERE billable), 0)::text AS billable`,
    sql`sum(amount)::text AS amount`,
    ...(rates
      ? [
          sql`coalesce(sum(${convertedAmount}), 0)::text AS converted`,
          sql`(count(*) FILTER (WHERE ${isWithoutRate}))::text AS without_rate`,
        ]
      : []),
  ];
}
