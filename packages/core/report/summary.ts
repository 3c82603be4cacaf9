import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { Day } from "../base/day.ts";
import { type ErrorSource, invalid } from "../base/invalid.ts";
import { db, type Reader } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { Filters, Flag } from "../tracking/time-entries/filters.ts";
import type { Membership } from "../workspace/authorization.ts";
import { Chart, charts } from "./chart.ts";
import { Dimension, overlaps } from "./dimension.ts";
import { type Rates, ratesOf, type Scope } from "./entries.ts";
import { type Group, grouped, SumView, sumView, type Tree } from "./groups.ts";
import * as Rounding from "./rounding.ts";
import { scope } from "./scope.ts";

export const defaultGroup: Dimension = "project";

export const Query = z.object({
  ...Filters.shape,
  group_by: z.optional(Dimension),
  sub_group_by: z.optional(Dimension),
  convert_to: z.optional(z.string().check(z.maxLength(16))),
  rounding: z.optional(Rounding.Text),
  include_charts: z.optional(Flag),
});
export type Query = z.infer<typeof Query>;

const named = { key: z.nullable(z.string()), label: z.string(), ...SumView.shape };

export const View = z.object({
  from: Day,
  to: Day,
  timezone: z.string(),
  groups: z.array(z.object({ ...named, groups: z.optional(z.array(z.object(named))) })),
  /** Each entry once, also where groups overlap. */
  totals: SumView,
  charts: z.optional(z.array(Chart)),
});
export type View = z.infer<typeof View>;

/** Time and money by group. Throws what `scope` throws, 422 for a level named twice and 422 `report_too_large`. */
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
    ...filters
  } = query;
  if (group_by === sub_group_by)
    throw invalid({ parameter: "sub_group_by" }, "named_twice", "It is the same as `group_by`.");
  const of = await scope(
    actor,
    membership,
    { filters, rounding, convertTo },
    (parameter) => ({ parameter }),
    now,
  );
  const levels = [group_by, ...(sub_group_by ? [sub_group_by] : [])];
  const place = { parameter: "group_by" };
  // One statement is of one moment by itself.
  const once = convertTo === undefined && !include_charts && !levels.some(overlaps);
  return view(
    of,
    await (once
      ? counted(db(), of, levels, place)
      : transaction((tx) => counted(tx, of, levels, place, include_charts))),
  );
}

export type Counted = {
  levels: readonly Dimension[];
  tree: Tree;
  rates: Rates | undefined;
  charts: Chart[] | undefined;
};

/** A report's groups and, when wanted, its charts, of one moment: part of a transaction that only reads. */
export async function counted(
  reader: Reader,
  scope: Scope,
  levels: readonly Dimension[],
  place: ErrorSource,
  withCharts = false,
  most?: number,
): Promise<Counted> {
  const rates = await ratesOf(reader, scope);
  const tree = await grouped(reader, scope, levels, rates, { place, ...(most !== undefined && { most }) });
  const drawn = withCharts ? await charts(reader, scope, tree, levels[0], rates, place) : undefined;
  return { levels, tree, rates, charts: drawn };
}

/** The same as it stands in an answer. */
export function view({ period, convertTo }: Scope, { levels, tree, charts }: Counted): View {
  const shown = ({ key, label, sum }: Group) => ({ key, label, ...sumView(sum, convertTo) });
  return {
    from: period.from,
    to: period.to,
    timezone: period.timezone,
    groups: tree.groups.map((group) => ({
      ...shown(group),
      ...(levels.length > 1 && { groups: group.groups.map(shown) }),
    })),
    totals: sumView(tree.total, convertTo),
    ...(charts && { charts }),
  };
}
