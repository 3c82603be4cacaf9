import type { Day } from "../base/day.ts";
import { addDays, dayIn, daysBetween } from "../base/day.ts";
import { startsOfDays } from "../base/day-bounds.ts";
import { type ErrorSource, invalid } from "../base/invalid.ts";
import type { Membership } from "../workspace/authorization.ts";

/** The longest period of a report in days: ten years. */
export const maxDays = 3660;

/** The default period of a report: the last thirty days up to today. */
export const defaultDays = 30;

/** Calendar units that reports can group by. */
export const units = ["day", "week", "month", "year"] as const;
export type Unit = (typeof units)[number];

/** The days of a report, both inclusive, with the first instant of each in a time zone. */
export type Period = {
  from: Day;
  to: Day;
  timezone: string;
  /** 1 is Monday, 7 is Sunday. */
  weekStart: number;
  days: readonly { day: Day; start: Date }[];
  /** The first instant after the last day. */
  end: Date;
};

/** A calendar unit of a period. It ends where the next one starts. */
export type Bucket = { key: string; label: string; start: Date };

/** Returns whether a dimension is a calendar unit. */
export function isUnit(name: string): name is Unit {
  return (units as readonly string[]).includes(name);
}

/**
 * Returns the requested period in a time zone. Throws `invalid` when `to` is before `from` and when the period
 * is longer than `maxDays`.
 */
export function period(
  { timezone, weekStart }: Pick<Membership, "timezone" | "weekStart">,
  requested: { from?: Day | undefined; to?: Day | undefined },
  sourceOf: (name: "from" | "to") => ErrorSource,
  now: Date,
): Period {
  const to = requested.to ?? latest(dayIn(timezone, now), requested.from);
  const from = requested.from ?? addDays(to, 1 - defaultDays);
  const count = daysBetween(from, to) + 1;
  if (count < 1)
    throw invalid(sourceOf("to"), "before_from", "The last day must not be before the first day.");
  if (count > maxDays)
    throw invalid(sourceOf("from"), "out_of_range", `The period must be at most ${maxDays} days.`);
  const starts = startsOfDays(from, count + 1, timezone);
  const end = starts.pop() as Date;
  const days = starts.map((start, at) => ({ day: addDays(from, at), start }));
  return { from, to, timezone, weekStart, days, end };
}

function latest(today: Day, from: Day | undefined): Day {
  return from !== undefined && from > today ? from : today;
}

/** Returns the consecutive units that the period touches. The first one may begin before the period. */
export function bucketsOf({ days, weekStart }: Period, unit: Unit): Bucket[] {
  const buckets: Bucket[] = [];
  for (const { day, start } of days) {
    const key = keyOfDay(day, unit, weekStart);
    if (buckets.at(-1)?.key !== key) buckets.push({ key, label: labelOf(key, unit), start });
  }
  return buckets;
}

/** Returns the key of the unit that a day belongs to. The key of a week is its first day. */
function keyOfDay(day: Day, unit: Unit, weekStart: number): string {
  if (unit === "year") return day.slice(0, 4);
  if (unit === "month") return day.slice(0, 7);
  if (unit === "day") return day;
  const weekday = new Date(day).getUTCDay() || 7;
  return addDays(day, -((weekday - weekStart + 7) % 7));
}

const months = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" });

function labelOf(key: string, unit: Unit): string {
  if (unit === "week") return `Week of ${key}`;
  return unit === "month" ? months.format(new Date(`${key}-01`)) : key;
}

/** Returns the day of an instant within the period. */
export function dayOf({ days, to }: Period, at: Date): Day {
  let [low, high] = [0, days.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((days[middle]?.start ?? at) <= at) low = middle;
    else high = middle - 1;
  }
  return days[low]?.day ?? to;
}

/** Returns the finest unit that keeps a chart of the period readable. */
export function chartUnit({ days }: Period): Unit {
  if (days.length <= 62) return "day";
  return days.length <= 366 ? "week" : "month";
}
