/** Days that the present pace is measured over; a project younger than that counts its own, at least the fewest. */
export const paceDays = 28;
export const fewestPaceDays = 7;

/** A budget without an end is looked ahead on for so many days. */
export const horizonDays = 30;

const dayMs = 86_400_000;
const farthestDays = 3650;

/** All amounts in one unit (minor units, or seconds). */
export type Spending = {
  /** The budget; more than nothing. */
  amount: bigint;
  /** Spent so far in the period. */
  spent: bigint;
  /** Spent in the last `paceDays` days, in this period or before. */
  recent: bigint;
  /** When time was first tracked on the project; undefined when never. */
  firstAt: Date | undefined;
  /** The end of the period; undefined for a budget without one. */
  endsAt: Date | undefined;
  now: Date;
};

export type Forecast = {
  /** Of the budget, with two digits, cut off: 100 is said when all of it is spent and not before. */
  percent: number;
  /** The same for the end of the period, or for 30 days from now, if the present pace lasts. */
  forecastPercent: number;
  /** When the budget is used up at that pace; undefined when not in this period, not in ten years, or not at all. */
  usedUpAt: Date | undefined;
};

/** Where a budget stands and where its present pace leads. */
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

/** Which warnings are due: the threshold (whole percent) reached, and more than everything foreseen. */
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
  if (inMs > BigInt(farthestDays * dayMs)) return undefined;
  const at = new Date(now.getTime() + Number(inMs));
  return endsAt && at >= endsAt ? undefined : at;
}

function percent(part: bigint, whole: bigint): number {
  return Number((part * 10_000n) / whole) / 100;
}
