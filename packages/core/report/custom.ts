import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { CurrencyCode } from "../base/currency-code.ts";
import { Day } from "../base/day.ts";
import { type ErrorSource, invalid } from "../base/invalid.ts";
import { MissingRate } from "../money/missing-rates.ts";
import * as Rational from "../money/rational.ts";
import type { Reader } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { Filters } from "../tracking/time-entries/filters.ts";
import type { Membership } from "../workspace/authorization.ts";
import { Column, columns, type Entry, readEntries, requireAtMost } from "./detail.ts";
import { type Dimension, dimensions } from "./dimension.ts";
import { type Rates, ratesOf } from "./entries.ts";
import { alphabet, type Group, grouped, type Order, type Sum, SumView, sumView } from "./groups.ts";
import { missingRatesOf } from "./missing-rates.ts";
import { type ReportScope, resolveScope } from "./report-scope.ts";
import * as Rounding from "./rounding.ts";

/** Maximum number of nested groups. */
export const maxLevels = 3;

/** Maximum number of entries in a response. Report files can have more. */
export const shownEntries = 5000;

/** The figures of a group. `amounts` includes the converted amount when `convert_to` is set. */
export const metrics = [
  "duration_seconds",
  "billable_seconds",
  "entry_count",
  "amounts",
  "billable_percent",
] as const;
export const Metric = z.enum(metrics);
export type Metric = z.infer<typeof Metric>;

export const defaultMetrics: readonly Metric[] = [
  "duration_seconds",
  "billable_seconds",
  "entry_count",
  "amounts",
];

const sorts = ["label", "duration_seconds", "billable_seconds", "entry_count", "started_at"] as const;
const sortsInBothDirections = sorts.flatMap((name) => [name, `-${name}`] as const);
/** The order of groups; `-` sorts descending. `started_at` applies to entries, which are always sorted by start. */
export const Sort = z.enum(sortsInBothDirections);
export type Sort = z.infer<typeof Sort>;

/** A list of unique names in a query, separated by commas. */
function commaSeparated<T extends string>(name: z.ZodMiniType<T, T>, most: number) {
  return z.pipe(
    z.string().check(z.maxLength(400)),
    z.pipe(
      z.transform((text: string) => text.split(",").map((part) => part.trim())),
      uniqueList(name, most),
    ),
  );
}

/** A list of unique names. */
export function uniqueList<T extends string>(name: z.ZodMiniType<T, T>, most: number) {
  return z.array(name).check(
    z.maxLength(most),
    z.refine((names) => new Set(names).size === names.length, "List each name only once."),
  );
}

export const Query = z.object({
  ...Filters.shape,
  columns: z.optional(commaSeparated(Column, 20)),
  metrics: z.optional(commaSeparated(Metric, metrics.length)),
  group_by: z.optional(commaSeparated(z.enum(dimensions), maxLevels)),
  sort: z.optional(Sort),
  convert_to: z.optional(CurrencyCode),
  rounding: z.optional(Rounding.Text),
});
export type Query = z.infer<typeof Query>;

/** The requested metrics of a sum. */
const Metrics = z.object({
  ...z.partial(SumView).shape,
  /** Billable time in percent of all time, with two decimal places. */
  billablePercent: z.optional(z.string()),
});
type Metrics = z.infer<typeof Metrics>;

/** The requested columns of an entry, with names in camel case. */
const EntryColumns = z.record(z.string(), z.unknown());
type EntryColumns = z.infer<typeof EntryColumns>;

const groupFields = {
  key: z.nullable(z.string()),
  label: z.string(),
  ...Metrics.shape,
  entries: z.optional(z.array(EntryColumns)),
};
const ThirdLevel = z.object(groupFields);
const SecondLevel = z.object({ ...groupFields, groups: z.optional(z.array(ThirdLevel)) });
const FirstLevel = z.object({ ...groupFields, groups: z.optional(z.array(SecondLevel)) });
type GroupView = z.infer<typeof FirstLevel>;

export const View = z.object({
  from: Day,
  to: Day,
  timezone: z.string(),
  columns: z.array(z.object({ id: z.string(), title: z.string() })),
  metrics: z.array(Metric),
  groups: z.optional(z.array(FirstLevel)),
  /** Present when the report has columns but no groups. */
  entries: z.optional(z.array(EntryColumns)),
  totals: Metrics,
  /** Present with `convert_to`: the entries that could not be converted. */
  missingRates: z.optional(z.array(MissingRate)),
});
export type View = z.infer<typeof View>;

/** The composition of a custom report. */
export type Composition = {
  levels: readonly Dimension[];
  columns: readonly Column[];
  metrics?: readonly Metric[] | undefined;
  sort?: Sort | undefined;
};

/**
 * Returns a custom report: groups with the requested metrics and, with columns, the entries of each group. Throws what
 * `resolveScope` throws, and `invalid` `report_too_large` for more than `shownEntries` entries.
 */
export async function custom(
  actor: Actor,
  membership: Membership,
  query: Query,
  now: Date = Clock.now(),
): Promise<View> {
  const { columns = [], metrics, group_by = [], sort, convert_to: convertTo, rounding, ...filters } = query;
  const sourceOf = (parameter: string) => ({ parameter });
  requireConversion({ columns, convertTo }, sourceOf("columns"));
  const scope = await resolveScope(actor, membership, { filters, rounding, convertTo }, sourceOf, now);
  const composition = { levels: group_by, columns, metrics, sort };
  return transaction(async (tx) => {
    if (columns.length > 0) await requireAtMost(tx, scope, shownEntries, sourceOf("from"));
    return compose(tx, scope, composition, sourceOf("group_by"));
  });
}

/** Throws `invalid` when the `converted` column is requested without a currency to convert to. */
export function requireConversion(
  { columns, convertTo }: { columns: readonly Column[]; convertTo?: string | undefined },
  source: ErrorSource,
): void {
  if (columns.includes("converted") && convertTo === undefined)
    throw invalid(source, "convert_to_missing", "The column `converted` requires a currency to convert to.");
}

/** Reads and formats a custom report inside the caller's transaction. */
export async function compose(
  reader: Reader,
  scope: ReportScope,
  composition: Composition,
  source: ErrorSource,
): Promise<View> {
  const rates = await ratesOf(reader, scope);
  const { levels, columns: names, metrics: wanted = defaultMetrics, sort } = composition;
  const tree = await grouped(reader, scope, levels, rates, { source, order: orderOf(sort) });
  const entries = names.length > 0 ? await entriesByGroup(reader, scope, composition, rates) : undefined;
  const missingRates = await missingRatesOf(reader, scope, tree.total, rates);
  const { from, to, timezone } = scope.period;
  return {
    from,
    to,
    timezone,
    columns: names.map((id) => ({ id, title: columns[id].title })),
    metrics: [...wanted],
    ...(levels.length > 0 && { groups: groupViews(tree.groups, [], scope, levels.length, wanted, entries) }),
    ...(levels.length === 0 && entries && { entries: entries.get("[]") ?? [] }),
    totals: metricsOf(tree.total, wanted, scope.convertTo),
    ...(missingRates && { missingRates }),
  };
}

/** Formats groups down to `depth` levels. The deepest ones contain the entries. */
function groupViews(
  groups: readonly Group[],
  parents: readonly unknown[],
  scope: ReportScope,
  depth: number,
  wanted: readonly Metric[],
  entries: EntriesByGroup | undefined,
): GroupView[] {
  return groups.map(({ key, label, sum, groups: children }) => {
    const keys = [...parents, key];
    const isDeepest = keys.length === depth;
    return {
      key,
      label,
      ...metricsOf(sum, wanted, scope.convertTo),
      ...(!isDeepest && { groups: groupViews(children, keys, scope, depth, wanted, entries) }),
      ...(isDeepest && entries && { entries: entries.get(JSON.stringify(keys)) ?? [] }),
    };
  });
}

/** Entries by the keys of their group, as JSON. */
type EntriesByGroup = ReadonlyMap<string, EntryColumns[]>;

async function entriesByGroup(
  reader: Reader,
  scope: ReportScope,
  { levels, columns: names, sort }: Composition,
  rates: Rates | undefined,
): Promise<EntriesByGroup> {
  const found = new Map<string, EntryColumns[]>();
  const direction = sort === "-started_at" ? "desc" : "asc";
  for await (const batch of readEntries(reader, scope, levels, rates, direction))
    for (const entry of batch) {
      const at = JSON.stringify(entry.keys);
      const entries = found.get(at) ?? [];
      entries.push(pickColumns(entry, names));
      found.set(at, entries);
    }
  return found;
}

/** Returns these columns of an entry, with names in camel case. */
export function pickColumns(entry: Entry, names: readonly Column[]): EntryColumns {
  return Object.fromEntries(names.map((name) => [camelCase(name), columns[name].value(entry)]));
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function metricsOf(sum: Sum, wanted: readonly Metric[], convertTo: string | undefined): Metrics {
  const { durationSeconds, billableSeconds, entryCount, amounts, ...converted } = sumView(sum, convertTo);
  return {
    ...(wanted.includes("duration_seconds") && { durationSeconds }),
    ...(wanted.includes("billable_seconds") && { billableSeconds }),
    ...(wanted.includes("entry_count") && { entryCount }),
    ...(wanted.includes("amounts") && { amounts, ...converted }),
    ...(wanted.includes("billable_percent") && {
      billablePercent: formatPercent(billableSeconds, durationSeconds),
    }),
  };
}

/** Formats a share in percent with two decimal places, rounded half to even. */
export function formatPercent(part: number, whole: number): string {
  return whole === 0 ? "0.00" : Rational.toPlaces({ n: BigInt(part) * 100n, d: BigInt(whole) }, 2);
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
