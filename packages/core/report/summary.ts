import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { CurrencyCode } from "../base/currency-code.ts";
import { Day, Timezone } from "../base/day.ts";
import { type ErrorSource, invalid } from "../base/invalid.ts";
import { QueryFlag } from "../base/query.ts";
import { MissingRate } from "../money/missing-rates.ts";
import { db, type Reader } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { Filters } from "../tracking/time-entries/filters.ts";
import type { Membership } from "../workspace/authorization.ts";
import { Chart, charts } from "./chart.ts";
import { type Dimension, dimensions, overlaps } from "./dimension.ts";
import { type Rates, ratesOf } from "./entries.ts";
import { type Group, grouped, SumView, sumView, type Tree } from "./groups.ts";
import { missingRatesOf } from "./missing-rates.ts";
import { type ReportScope, resolveScope } from "./report-scope.ts";
import * as Rounding from "./rounding.ts";

export const defaultGroup: Dimension = "project";

export const Query = z.object({
  ...Filters.shape,
  group_by: z.optional(z.enum(dimensions)),
  sub_group_by: z.optional(z.enum(dimensions)),
  convert_to: z.optional(CurrencyCode),
  rounding: z.optional(Rounding.Text),
  include_charts: z.optional(QueryFlag),
  timezone: z.optional(Timezone),
});
export type Query = z.infer<typeof Query>;

const groupFields = { key: z.nullable(z.string()), label: z.string(), ...SumView.shape };

export const View = z.object({
  from: Day,
  to: Day,
  timezone: z.string(),
  groups: z.array(z.object({ ...groupFields, groups: z.optional(z.array(z.object(groupFields))) })),
  /** Counts each entry once, even when groups overlap. */
  totals: SumView,
  /** Present with `convert_to`: the entries that could not be converted. */
  missingRates: z.optional(z.array(MissingRate)),
  charts: z.optional(z.array(Chart)),
});
export type View = z.infer<typeof View>;

/**
 * Returns time and money by group. Throws what `resolveScope` throws, `invalid` when both levels are the same, and `invalid`
 * `report_too_large`.
 */
export async function summary(
  actor: Actor,
  membership: Membership,
  query: Query,
  now: Date = Clock.now(),
): Promise<View> {
  const {
    group_by = defaultGroup,
    sub_group_by,
    convert_to: convertTo,
    rounding,
    include_charts,
    timezone,
    ...filters
  } = query;
  if (group_by === sub_group_by)
    throw invalid(
      { parameter: "sub_group_by" },
      "named_twice",
      "Choose a second grouping that differs from the first.",
    );
  const sourceOf = (parameter: string) => ({ parameter });
  const scope = await resolveScope(
    actor,
    membership,
    { filters, rounding, convertTo, timezone },
    sourceOf,
    now,
  );
  const levels = [group_by, ...(sub_group_by ? [sub_group_by] : [])];
  const source = sourceOf("group_by");
  // A single statement is consistent without a transaction.
  const isSingleStatement = convertTo === undefined && !include_charts && !levels.some(overlaps);
  const summarized = isSingleStatement
    ? await summarize(db(), scope, levels, source)
    : await transaction((tx) => summarize(tx, scope, levels, source, include_charts));
  return view(scope, summarized);
}

/** The data of a summary report. */
export type Summarized = {
  levels: readonly Dimension[];
  tree: Tree;
  rates: Rates | undefined;
  missingRates: MissingRate[] | undefined;
  charts: Chart[] | undefined;
};

/** Reads a report's groups and, on request, its charts. Pass a transaction to read both from one snapshot. */
export async function summarize(
  reader: Reader,
  scope: ReportScope,
  levels: readonly Dimension[],
  source: ErrorSource,
  withCharts = false,
  most?: number,
): Promise<Summarized> {
  const rates = await ratesOf(reader, scope);
  const tree = await grouped(reader, scope, levels, rates, { source, ...(most !== undefined && { most }) });
  const drawn = withCharts ? await charts(reader, scope, tree, levels[0], rates, source) : undefined;
  const missingRates = await missingRatesOf(reader, scope, tree.total, rates);
  return { levels, tree, rates, missingRates, charts: drawn };
}

/** Formats a summary for a response. */
export function view(
  { period, convertTo }: ReportScope,
  { levels, tree, missingRates, charts }: Summarized,
): View {
  const groupView = ({ key, label, sum }: Group) => ({ key, label, ...sumView(sum, convertTo) });
  return {
    from: period.from,
    to: period.to,
    timezone: period.timezone,
    groups: tree.groups.map((group) => ({
      ...groupView(group),
      ...(levels.length > 1 && { groups: group.groups.map(groupView) }),
    })),
    totals: sumView(tree.total, convertTo),
    ...(missingRates && { missingRates }),
    ...(charts && { charts }),
  };
}
