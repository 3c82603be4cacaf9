import * as z from "zod/mini";
import type { ErrorSource } from "../base/invalid.ts";
import { minorUnits } from "../money/currency.ts";
import * as Rational from "../money/rational.ts";
import type { Reader } from "../platform/db/engine.ts";
import { type Dimension, titles } from "./dimension.ts";
import type { Rates } from "./entries.ts";
import { type Group, grouped, isComplete, type Sum, secondsOf, type Tree } from "./groups.ts";
import { bucketsOf, chartUnit, isUnit, type Unit } from "./period.ts";
import type { ReportScope } from "./report-scope.ts";

/**
 * The data of a chart. Each series has one value per label: whole numbers for seconds, decimal strings for money in the
 * currency that `unit` names.
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

/** The sum of one calendar unit or group. */
type Bar = { label: string; sum: Sum };

/**
 * Returns the charts of a report: time over the period, time by the first level, and money over the period in each currency
 * and converted. They add up to the same totals as the groups, because they count the same entries.
 */
export async function charts(
  reader: Reader,
  scope: ReportScope,
  { groups }: Tree,
  level: Dimension | undefined,
  rates: Rates | undefined,
  source: ErrorSource,
): Promise<Chart[]> {
  const unit = chartUnit(scope.period);
  const time = (await grouped(reader, scope, [unit], rates, { source })).groups;
  const bars = barsOf(scope, unit, time);
  return [
    timePerUnit(unit, bars),
    ...(level ? [timeByLevel(scope, level, groups)] : []),
    ...amountsPerUnit(unit, bars),
    ...convertedPerUnit(unit, bars, rates),
  ];
}

/** Returns a bar for every unit of the period, including those without time. */
function barsOf({ period }: ReportScope, unit: Unit, groups: readonly Group[]): Bar[] {
  const sums = new Map(groups.map(({ key, sum }) => [key, sum]));
  return bucketsOf(period, unit).map(({ key, label }) => ({ label, sum: sums.get(key) ?? new Map() }));
}

function timePerUnit(unit: Unit, bars: readonly Bar[]): Chart {
  const billable = bars.map(({ sum }) => billableSecondsOf(sum));
  const notBillable = bars.map(({ sum }, at) => secondsOf(sum) - (billable[at] ?? 0));
  return {
    id: "duration-over-time",
    type: "bar",
    title: `Time per ${unit}`,
    unit: "seconds",
    labels: bars.map(({ label }) => label),
    series: [
      { name: "Billable", data: billable },
      { name: "Not billable", data: notBillable },
    ],
  };
}

function timeByLevel(scope: ReportScope, level: Dimension, groups: readonly Group[]): Chart {
  const parts = isUnit(level) ? barsOf(scope, level, groups) : groups;
  return {
    id: `duration-by-${level}`,
    type: isUnit(level) ? "bar" : "pie",
    title: `Time by ${titles[level].toLowerCase()}`,
    unit: "seconds",
    labels: parts.map(({ label }) => label),
    series: [{ name: "Time", data: parts.map(({ sum }) => secondsOf(sum)) }],
  };
}

function amountsPerUnit(unit: Unit, bars: readonly Bar[]): Chart[] {
  const currencies = [...new Set(bars.flatMap(({ sum }) => [...sum.keys()]))].sort();
  return currencies.map((currency) => {
    const amount = (sum: Sum) => sum.get(currency)?.amount ?? 0n;
    return moneyChart(`amount-over-time-${currency}`, `Amount per ${unit}`, currency, bars, amount);
  });
}

/** Returns no chart when a rate is missing. */
function convertedPerUnit(unit: Unit, bars: readonly Bar[], rates: Rates | undefined): Chart[] {
  if (!rates || !bars.every(({ sum }) => isComplete(sum))) return [];
  const amount = (sum: Sum) => [...sum.values()].reduce((total, { converted }) => total + converted, 0n);
  return [moneyChart("converted-over-time", `Amount per ${unit}, converted`, rates.to, bars, amount)];
}

function billableSecondsOf(sum: Sum): number {
  return [...sum.values()].reduce((total, { billableSeconds }) => total + billableSeconds, 0);
}

function moneyChart(
  id: string,
  title: string,
  currency: string,
  bars: readonly Bar[],
  amount: (sum: Sum) => bigint,
): Chart {
  const data = bars.map(({ sum }) => Rational.formatUnits(amount(sum), minorUnits(currency)));
  return {
    id,
    type: "line",
    title: `${title}, ${currency}`,
    unit: currency,
    labels: bars.map(({ label }) => label),
    series: [{ name: currency, data }],
  };
}
