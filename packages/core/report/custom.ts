import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { Day } from "../base/day.ts";
import { type ErrorSource, invalid } from "../base/invalid.ts";
import * as Rational from "../money/rational.ts";
import type { Reader } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { Filters } from "../tracking/time-entries/filters.ts";
import type { Membership } from "../workspace/authorization.ts";
import { Column, columns, demandFewer, type Entry, entries } from "./detail.ts";
import { Dimension } from "./dimension.ts";
import { type Rates, ratesOf, type Scope } from "./entries.ts";
import { alphabet, type Group, grouped, type Order, type Sum, SumView, sumView } from "./groups.ts";
import * as Rounding from "./rounding.ts";
import { scope } from "./scope.ts";

/** How deep groups can be. */
export const maxLevels = 3;

/** So many entries fit into an answer; a generated report takes more. */
export const shownEntries = 5000;

/** What a group can show. `converted` comes with `convert_to`. */
export const metrics = [
  "duration_seconds",
  "billable_seconds",
  "entry_count",
  "amounts",
  "billable_percent",
] as const;
export const Metric = z.enum(metrics);
export type Metric = z.infer<typeof Metric>;

const defaultMetrics: readonly Metric[] = ["duration_seconds", "billable_seconds", "entry_count", "amounts"];

const sorts = ["label", "duration_seconds", "billable_seconds", "entry_count", "started_at"] as const;
const directed = sorts.flatMap((name) => [name, `-${name}`] as const);
/** By what groups stand, `-` for the most first; `started_at` is for entries, which stand by their beginnings anyway. */
export const Sort = z.enum(directed);
export type Sort = z.infer<typeof Sort>;

/** Names separated by commas, as they stand in a query: each once. */
function listed<T extends string>(name: z.ZodMiniType<T, T>, most: number) {
  return z.pipe(
    z.string().check(z.maxLength(400)),
    z.pipe(
      z.transform((text: string) => text.split(",").map((part) => part.trim())),
      once(name, most),
    ),
  );
}

/** A list of these, each named once. */
export function once<T extends string>(name: z.ZodMiniType<T, T>, most: number) {
  return z.array(name).check(
    z.maxLength(most),
    z.refine((names) => new Set(names).size === names.length, "Each may be named once."),
  );
}

export const Query = z.object({
  ...Filters.shape,
  columns: z.optional(listed(Column, 20)),
  metrics: z.optional(listed(Metric, metrics.length)),
  group_by: z.optional(listed(Dimension, maxLevels)),
  sort: z.optional(Sort),
  convert_to: z.optional(z.string().check(z.maxLength(16))),
  rounding: z.optional(Rounding.Text),
});
export type Query = z.infer<typeof Query>;

/** The metrics that were asked for. */
const Sums = z.object({
  ...z.partial(SumView).shape,
  /** Billable time in percent of all, two places. */
  billablePercent: z.optional(z.string()),
});
type Sums = z.infer<typeof Sums>;

/** The columns that were asked for, in camel case. */
const Row = z.record(z.string(), z.unknown());
const named = {
  key: z.nullable(z.string()),
  label: z.string(),
  ...Sums.shape,
  entries: z.optional(z.array(Row)),
};
const Third = z.object(named);
const Second = z.object({ ...named, groups: z.optional(z.array(Third)) });
const First = z.object({ ...named, groups: z.optional(z.array(Second)) });
type GroupView = z.infer<typeof First>;

export const View = z.object({
  from: Day,
  to: Day,
  timezone: z.string(),
  columns: z.array(z.object({ id: z.string(), title: z.string() })),
  metrics: z.array(Metric),
  groups: z.optional(z.array(First)),
  /** Without groups, when columns are asked for. */
  entries: z.optional(z.array(Row)),
  totals: Sums,
});
export type View = z.infer<typeof View>;

/** What a custom report is made of, wherever it was asked for. */
export type Terms = {
  levels: readonly Dimension[];
  columns: readonly Column[];
  metrics?: readonly Metric[] | undefined;
  sort?: Sort | undefined;
};

/**
 * A report of one's own making: groups with the metrics that are asked for and, with columns, the entries that they are
 * made of. Throws what `scope` throws, and 422 `report_too_large` for more entries than an answer holds.
 */
export async function custom(
  actor: Actor,
  membership: Membership,
  query: Query,
  now: Date = Clock.now(),
): Promise<View> {
  const { columns = [], metrics, group_by = [], sort, convert_to: convertTo, rounding, ...filters } = query;
  const placeOf = (parameter: string) => ({ parameter });
  demandColumns({ columns, convertTo }, placeOf("columns"));
  const of = await scope(actor, membership, { filters, rounding, convertTo }, placeOf, now);
  const terms = { levels: group_by, columns, metrics, sort };
  return transaction(async (tx) => {
    if (columns.length > 0) await demandFewer(tx, of, shownEntries, placeOf("from"));
    return made(tx, of, terms, placeOf("group_by"));
  });
}

/** Throws 422 when converted amounts are to be shown, and nobody says in which currency. */
export function demandColumns(
  { columns, convertTo }: { columns: readonly Column[]; convertTo?: string | undefined },
  place: ErrorSource,
): void {
  if (columns.includes("converted") && convertTo === undefined)
    throw invalid(place, "convert_to_missing", "`converted` needs a currency to convert to.");
}

/** The report itself: part of a transaction that only reads. */
export async function made(reader: Reader, of: Scope, terms: Terms, place: ErrorSource): Promise<View> {
  const rates = await ratesOf(reader, of);
  const { levels, columns: asked, metrics: wanted = defaultMetrics, sort } = terms;
  const tree = await grouped(reader, of, levels, rates, { place, order: orderOf(sort) });
  const byGroup = asked.length > 0 ? await entriesOf(reader, of, terms, rates) : undefined;
  const sums = (sum: Sum) => chosen(sum, wanted, of.convertTo);
  const shown = (groups: readonly Group[], above: readonly unknown[]): GroupView[] =>
    groups.map(({ key, label, sum, groups }) => {
      const keys = [...above, key];
      const deeper = keys.length < levels.length;
      return {
        key,
        label,
        ...sums(sum),
        ...(deeper && { groups: shown(groups, keys) }),
        ...(!deeper && byGroup && { entries: byGroup.get(JSON.stringify(keys)) ?? [] }),
      };
    });
  return {
    from: of.period.from,
    to: of.period.to,
    timezone: of.period.timezone,
    columns: asked.map((id) => ({ id, title: columns[id].title })),
    metrics: [...wanted],
    ...(levels.length > 0 && { groups: shown(tree.groups, []) }),
    ...(levels.length === 0 && byGroup && { entries: byGroup.get("[]") ?? [] }),
    totals: sums(tree.total),
  };
}

async function entriesOf(
  reader: Reader,
  of: Scope,
  { levels, columns: asked, sort }: Terms,
  rates: Rates | undefined,
): Promise<Map<string, Record<string, unknown>[]>> {
  const found = new Map<string, Record<string, unknown>[]>();
  for await (const some of entries(reader, of, levels, rates, sort === "-started_at" ? "desc" : "asc"))
    for (const entry of some) {
      const at = JSON.stringify(entry.keys);
      const rows = found.get(at) ?? [];
      rows.push(rowOf(entry, asked));
      found.set(at, rows);
    }
  return found;
}

/** These columns of an entry. */
export function rowOf(entry: Entry, asked: readonly Column[]): Record<string, unknown> {
  return Object.fromEntries(asked.map((name) => [camel(name), columns[name].value(entry)]));
}

function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function chosen(sum: Sum, wanted: readonly Metric[], convertTo: string | undefined): Sums {
  const { durationSeconds, billableSeconds, entryCount, amounts, converted } = sumView(sum, convertTo);
  return {
    ...(wanted.includes("duration_seconds") && { durationSeconds }),
    ...(wanted.includes("billable_seconds") && { billableSeconds }),
    ...(wanted.includes("entry_count") && { entryCount }),
    ...(wanted.includes("amounts") && { amounts }),
    ...(wanted.includes("amounts") && converted !== undefined && { converted }),
    ...(wanted.includes("billable_percent") && {
      billablePercent: percent(BigInt(billableSeconds), BigInt(durationSeconds)),
    }),
  };
}

function percent(part: bigint, whole: bigint): string {
  return whole === 0n ? "0.00" : Rational.toPlaces({ n: part * 100n, d: whole }, 2);
}

function orderOf(sort: Sort | undefined): Order | undefined {
  if (!sort || sort.endsWith("started_at")) return undefined;
  const sign = sort.startsWith("-") ? -1 : 1;
  const name = sort.replace(/^-/, "");
  const byLabel: Order = (a, b) => alphabet.compare(a.label, b.label);
  if (name === "label") return (a, b) => sign * byLabel(a, b);
  const figure = ({ sum }: Group) => {
    const { durationSeconds, billableSeconds, entryCount } = sumView(sum);
    if (name === "entry_count") return entryCount;
    return name === "billable_seconds" ? billableSeconds : durationSeconds;
  };
  return (a, b) => sign * (figure(a) - figure(b)) || byLabel(a, b);
}
