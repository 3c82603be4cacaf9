import * as z from "zod/mini";
import type { ErrorSource } from "../base/invalid.ts";
import { minorUnits } from "../money/currency.ts";
import * as Rational from "../money/rational.ts";
import type { Reader } from "../platform/db/engine.ts";
import { type Dimension, titles } from "./dimension.ts";
import type { Rates, Scope } from "./entries.ts";
import { type Group, grouped, type Sum, secondsOf, type Tree } from "./groups.ts";
import { bucketsOf, chartUnit, isUnit, type Unit } from "./period.ts";

/**
 * A picture in numbers: each series has one value for each label. Seconds are whole numbers, money is decimal strings in
 * the currency that `unit` names.
 */
export const Chart = z.object({
  id: z.string(),
  type: z.enum(["bar", "line", "pie"]),
  title: z.string(),
  unit: z.string(),
  labels: z.array(z.string()),
  series: z.array(z.object({ name: z.string(), data: z.array(z.union([z.int(), z.string()])) })),
});
export type Chart = z.infer<typeof Chart>;

const per: Readonly<Record<Unit, string>> = { day: "day", week: "week", month: "month", year: "year" };

/**
 * The charts of a report: its time over the whole period, without a hole, by its first level, and its money over the period
 * for each currency. They add up to the same totals as the groups, since they are added up from the same entries.
 */
export async function charts(
  reader: Reader,
  scope: Scope,
  { groups }: Tree,
  level: Dimension | undefined,
  rates: Rates | undefined,
  place: ErrorSource,
): Promise<Chart[]> {
  const unit = chartUnit(scope.period);
  const time = (await grouped(reader, scope, [unit], rates, { place })).groups;
  const over = filled(scope, unit, time);
  const labels = over.map(({ label }) => label);
  const currencies = [...new Set(time.flatMap(({ sum }) => [...sum.keys()]))].sort();
  const billable = over.map(({ sum }) => billableOf(sum));
  const drawn: Chart[] = [
    {
      id: "duration-over-time",
      type: "bar",
      title: `Time per ${per[unit]}`,
      unit: "seconds",
      labels,
      series: [
        { name: "Billable", data: billable },
        { name: "Not billable", data: over.map(({ sum }, at) => secondsOf(sum) - (billable[at] ?? 0)) },
      ],
    },
  ];
  if (level) {
    const slices = isUnit(level) ? filled(scope, level, groups) : groups;
    drawn.push({
      id: `duration-by-${level}`,
      type: isUnit(level) ? "bar" : "pie",
      title: `Time by ${titles[level].toLowerCase()}`,
      unit: "seconds",
      labels: slices.map(({ label }) => label),
      series: [{ name: "Time", data: slices.map(({ sum }) => secondsOf(sum)) }],
    });
  }
  for (const currency of currencies) {
    const minor = (sum: Sum) => sum.get(currency)?.amount ?? 0n;
    drawn.push(
      money(
        `amount-over-time-${currency}`,
        `Amount per ${per[unit]}`,
        currency,
        labels,
        over.map(({ sum }) => minor(sum)),
      ),
    );
  }
  if (rates && over.every(({ sum }) => [...sum.values()].every(({ converted }) => converted !== null))) {
    const minor = (sum: Sum) =>
      [...sum.values()].reduce((total, { converted }) => total + (converted ?? 0n), 0n);
    const title = `Amount per ${per[unit]}, converted`;
    drawn.push(
      money(
        "converted-over-time",
        title,
        rates.to,
        labels,
        over.map(({ sum }) => minor(sum)),
      ),
    );
  }
  return drawn;
}

/** Every bucket of the period, also those in which nobody worked. */
function filled({ period }: Scope, unit: Unit, groups: readonly Group[]): { label: string; sum: Sum }[] {
  const sums = new Map(groups.map(({ key, sum }) => [key, sum]));
  return bucketsOf(period, unit).map(({ key, label }) => ({ label, sum: sums.get(key) ?? new Map() }));
}

function billableOf(sum: Sum): number {
  return [...sum.values()].reduce((total, { billableSeconds }) => total + billableSeconds, 0);
}

function money(
  id: string,
  title: string,
  currency: string,
  labels: string[],
  minor: readonly bigint[],
): Chart {
  const data = minor.map((amount) => Rational.formatUnits(amount, minorUnits(currency)));
  return {
    id,
    type: "line",
    title: `${title}, ${currency}`,
    unit: currency,
    labels,
    series: [{ name: currency, data }],
  };
}
