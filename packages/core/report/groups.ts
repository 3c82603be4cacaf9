import { type RawBuilder, sql } from "kysely";
import * as z from "zod/mini";
import { type ErrorSource, invalidWithCode } from "../base/invalid.ts";
import * as Money from "../money/money.ts";
import type { Reader } from "../platform/db/engine.ts";
import { type Dimension, type Key, keyFrom, labels, overlaps } from "./dimension.ts";
import { converted, keys, measured, type Rates, type Scope } from "./entries.ts";
import { bucketsOf, isUnit } from "./period.ts";

/** So many groups fit into an answer. */
export const maxGroups = 10_000;

/** What the entries of one currency add up to. Amounts are minor units; `converted` is null when a rate is missing. */
export type Part = {
  entryCount: number;
  seconds: number;
  billableSeconds: number;
  amount: bigint;
  converted: bigint | null;
};

/** What entries add up to, by currency: money of two currencies is never added. */
export type Sum = ReadonlyMap<string, Part>;

export type Group = { key: Key; label: string; sum: Sum; groups: Group[] };

/** Everything together, and its groups. The groups of tags and teams overlap, so `total` is not always their sum. */
export type Tree = { total: Sum; groups: Group[] };

const count = {
  durationSeconds: z.int(),
  billableSeconds: z.int(),
  entryCount: z.int(),
  /** One for each currency that the entries have, by code. */
  amounts: z.array(Money.View),
  /** With `convert_to`: each entry at the rate of its day; null when one has no rate. */
  converted: z.optional(z.nullable(Money.View)),
};

/** What a group, or all of it, adds up to. */
export const SumView = z.object(count);
export type SumView = z.infer<typeof SumView>;

/** A sum as it stands in an answer. */
export function sumView(sum: Sum, convertTo?: string): SumView {
  const parts = [...sum].sort(([a], [b]) => (a < b ? -1 : 1));
  const add = (of: (part: Part) => number) => parts.reduce((total, [, part]) => total + of(part), 0);
  return {
    durationSeconds: add(({ seconds }) => seconds),
    billableSeconds: add(({ billableSeconds }) => billableSeconds),
    entryCount: add(({ entryCount }) => entryCount),
    amounts: parts.map(([currency, { amount }]) => Money.view({ minor: amount, currency })),
    ...(convertTo !== undefined && { converted: convertedView(sum, convertTo) }),
  };
}

/** All of a sum in the one currency that it was converted to; null when a rate is missing. */
export function convertedView(sum: Sum, currency: string): Money.View | null {
  let minor = 0n;
  for (const { converted } of sum.values()) {
    if (converted === null) return null;
    minor += converted;
  }
  return Money.view({ minor, currency });
}

/** All seconds of a sum. */
export function secondsOf(sum: Sum): number {
  return [...sum.values()].reduce((total, { seconds }) => total + seconds, 0);
}

/** How groups of one level stand; by default days in their order, all others by time, most first. */
export type Order = (a: Group, b: Group) => number;

const byKey: Order = (a, b) => ((a.key ?? "") < (b.key ?? "") ? -1 : 1);
/** The order of names. */
export const alphabet = new Intl.Collator("en");
const byTime: Order = (a, b) =>
  secondsOf(b.sum) - secondsOf(a.sum) || alphabet.compare(a.label, b.label) || byKey(a, b);

/**
 * The entries of a report, added up in the database by these levels. Throws 422 `report_too_large` at `place` for more than
 * `maxGroups` groups, or for more than `most`.
 */
export async function grouped(
  reader: Reader,
  scope: Scope,
  levels: readonly Dimension[],
  rates: Rates | undefined,
  { order, place, most = maxGroups }: { order?: Order | undefined; place: ErrorSource; most?: number },
): Promise<Tree> {
  const sums: Map<string, { keys: Key[]; sum: Map<string, Part> }>[] = levels.map(() => new Map());
  sums.push(new Map());
  for (let depth = levels.length; depth >= 0; depth--) {
    const below = levels[depth];
    const adds = below !== undefined && !overlaps(below);
    const rows = adds
      ? [...(sums[depth + 1]?.values() ?? [])].flatMap(({ keys, sum }) =>
          [...sum].map(([currency, part]) => ({ keys: keys.slice(0, -1), currency, part })),
        )
      : await aggregated(reader, scope, levels.slice(0, depth), rates, most);
    let parts = 0;
    for (const { keys, currency, part } of rows) {
      const at = JSON.stringify(keys);
      const group = sums[depth]?.get(at) ?? { keys, sum: new Map() };
      if (!group.sum.has(currency)) parts++;
      group.sum.set(currency, plus(group.sum.get(currency), part));
      sums[depth]?.set(at, group);
    }
    if (parts > most)
      throw invalidWithCode(
        place,
        "report_too_large",
        `More than ${most} groups. Take fewer days or levels.`,
      );
  }
  const children = new Map<string, Group[]>();
  const list = (keys: readonly Key[]) => {
    const at = JSON.stringify(keys);
    const found = children.get(at) ?? [];
    children.set(at, found);
    return found;
  };
  for (const [at, level] of levels.entries()) {
    const all = [...(sums[at + 1]?.values() ?? [])];
    const keys = [...new Set(all.map(({ keys }) => keys.at(-1) ?? null))];
    const label = await labels(reader, level, scope.period, scope.workspaceId, keys);
    for (const { keys, sum } of all) {
      const key = keys.at(-1) ?? null;
      list(keys.slice(0, -1)).push({ key, label: label(key), sum, groups: list(keys) });
    }
    for (const { keys } of sums[at]?.values() ?? [])
      list(keys).sort(order ?? (isUnit(level) ? byKey : byTime));
  }
  return { total: sums[0]?.get("[]")?.sum ?? new Map(), groups: list([]) };
}

function plus(a: Part | undefined, b: Part): Part {
  if (!a) return b;
  return {
    entryCount: a.entryCount + b.entryCount,
    seconds: a.seconds + b.seconds,
    billableSeconds: a.billableSeconds + b.billableSeconds,
    amount: a.amount + b.amount,
    converted: a.converted === null || b.converted === null ? null : a.converted + b.converted,
  };
}

type Row = { currency: string; keys: Key[]; part: Part };

/** What is added up of the entries that `measured` selects, as text: no number of the driver's holds all of them. */
function added(rates: Rates | undefined): RawBuilder<unknown>[] {
  return [
    sql`count(*)::text AS entries`,
    sql`sum(seconds)::text AS seconds`,
    sql`coalesce(sum(seconds) FILTER (WHERE billable), 0)::text AS billable`,
    sql`sum(amount)::text AS amount`,
    ...(rates
      ? [
          sql`CASE WHEN bool_or(amount <> 0 AND n IS NULL) THEN NULL ELSE sum(${converted})::text END AS converted`,
        ]
      : []),
  ];
}

/** One statement: the entries of a report by these levels and their currency; finished ones and timers each for themselves. */
async function aggregated(
  reader: Reader,
  scope: Scope,
  levels: readonly Dimension[],
  rates: Rates | undefined,
  most: number,
): Promise<Row[]> {
  const unit = levels.find(isUnit);
  const names = levels.map((_, at) => sql.ref(`k${at}`));
  const last = unit ? names.splice(levels.indexOf(unit), 1) : [];
  const sums = (entries: RawBuilder<unknown>, last: readonly RawBuilder<unknown>[] = []) => sql`
    SELECT ${sql.join([...names, sql`currency`, ...added(rates), ...last])} FROM (${entries}) AS entry
    GROUP BY ${sql.join([...names, sql`currency`, ...last])}`;
  const { finished, running } = measured({ scope, levels, columns: keys(levels, scope), rates });
  const starts = unit && bucketsOf(scope.period, unit).map(({ start }) => start);
  // Of a part of the calendar, one stretch after the other: the index has the entries in that order, and a stretch has
  // few groups. To ask of every entry which stretch it is in takes longer.
  const ended = starts
    ? sql`SELECT sums.*, stretch.n::int4 AS ${sql.join(last)}
      FROM unnest(${starts}::timestamptz[], ${[...starts.slice(1), "infinity"]}::timestamptz[])
        WITH ORDINALITY AS stretch(start, until, n)
      CROSS JOIN LATERAL (${sums(sql`${finished}
        AND time_entries.started_at >= stretch.start AND time_entries.started_at < stretch.until`)}) AS sums`
    : sums(finished);
  // Apart from the limit, which would make the planner look for a quick start and not for a quick end.
  const { rows } = await sql<Record<string, unknown> & { currency: string }>`
    WITH ended AS MATERIALIZED (${ended}), running AS MATERIALIZED (${sums(running, last)})
    SELECT * FROM ended UNION ALL SELECT * FROM running LIMIT ${sql.lit(2 * most + 1)}`.execute(reader);
  const read = levels.map((level) => keyFrom(level, scope.period));
  return rows.map((row) => ({
    currency: row.currency,
    keys: read.map((key, at) => key(row[`k${at}`])),
    part: {
      entryCount: Number(row.entries),
      seconds: Number(row.seconds),
      billableSeconds: Number(row.billable),
      amount: BigInt(String(row.amount)),
      converted: row.converted === null ? null : BigInt(String(row.converted ?? 0)),
    },
  }));
}
