/** Days over which the pace is measured. For a younger project, its age is used instead, but at least `fewestPaceDays`. */
export const paceDays = 28;
export const fewestPaceDays = 7;

/** Days that a forecast looks ahead for a budget without a period. */
export const horizonDays = 30;

const dayMs = 86_400_000;
const maxForecastDays = 3650;

/** Spending on a project. All amounts have the same unit: minor units or seconds. */
export type Spending = {
  /** The budget, greater than zero. */
  amount: bigint;
  /** Spent so far in the period. */
  spent: bigint;
  /** Spent in the last `paceDays` days, in this period or before. */
  recent: bigint;
  /** Start of the first entry on the project; undefined without entries. */
  firstAt: Date | undefined;
  /** End of the period; undefined for a budget without periods. */
  endsAt: Date | undefined;
  now: Date;
};

export type Forecast = {
  /** Spent part of the budget in percent, rounded down to two decimal places, so that 100 means completely spent. */
  percent: number;
  /** Percent at the end of the period, or in `horizonDays` without a period, if the pace stays the same. */
  forecastPercent: number;
  /** When the budget is used up at that pace; undefined if not within the period, or not within ten years. */
  usedUpAt: Date | undefined;
};

/** Computes the spent part of a budget and extrapolates its pace. */
export function forecast({ amount, spent, recent, firstAt, endsAt, now }: Spending): Forecast {
  const age = firstAt ? Math.max(now.getTime() - firstAt.getTime(), 0) : 0;
  const paceMs = BigInt(Math.min(Math.max(age, fewestPaceDays * dayMs), paceDays * dayMs));
  const horizon = endsAt ?? new Date(now.getTime() + horizonDays * dayMs);
  const aheadMs = BigInt(Math.max(horizon.getTime() - now.getTime(), 0));
  const projected = spent + (recent * aheadMs) / paceMs;
  return {
    percent: percent(spent, amount),
    forecastPercent: percent(projected, amount),
    usedUpAt: usedUp(amount - spent, recent, paceMs, now, endsAt),
  };
}

/** Returns the warnings that are due: threshold (in whole percent) reached, and forecast above 100 percent. */
export function due(alertPercent: number, { percent, forecastPercent }: Forecast): Reason[] {
  return [
    ...(percent >= alertPercent ? (["threshold"] as const) : []),
    ...(forecastPercent > 100 ? (["forecast"] as const) : []),
  ];
}

export type Reason = "threshold" | "forecast";

function usedUp(left: bigint, recent: bigint, paceMs: bigint, now: Date, endsAt: Date | undefined) {
  if (left <= 0n) return now;
  if (recent === 0n) return undefined;
  const inMs = (left * paceMs + recent - 1n) / recent;
  if (inMs > BigInt(maxForecastDays * dayMs)) return undefined;
  const at = new Date(now.getTime() + Number(inMs));
  return endsAt && at >= endsAt ? undefined : at;
}

function percent(part: bigint, whole: bigint): number {
  return Number((part * 10_000n) / whole) / 100;
}
