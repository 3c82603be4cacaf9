import type { Day } from "../base/day.ts";
import { addDays, dayIn, daysBetween } from "../base/day.ts";
import { startsOfDays } from "../base/day-bounds.ts";
import { type ErrorSource, invalid } from "../base/invalid.ts";
import type { Membership } from "../workspace/authorization.ts";

/** The longest time that one report covers: ten years. */
export const maxDays = 3660;

/** What a report covers when nobody says: the last thirty days up to today. */
export const defaultDays = 30;

/** Parts of the calendar that time can be grouped by. */
export const units = ["day", "week", "month", "year"] as const;
export type Unit = (typeof units)[number];

/** The days of a report, both inclusive, and the first instant of each in the workspace's time zone. */
export type Period = {
  from: Day;
  to: Day;
  timezone: string;
  /** 1 is Monday, 7 is Sunday. */
  weekStart: number;
  days: readonly { day: Day; start: Date }[];
  /** The first instant after them. */
  end: Date;
};

/** A stretch of the calendar that begins at an instant and ends where the next one begins. */
export type Bucket = { key: string; label: string; start: Date };

export function isUnit(name: string): name is Unit {
  return (units as readonly string[]).includes(name);
}

/**
 * The days that a report is asked for, in the time zone of the workspace. Throws 422 for a `to` before `from` and for more
 * than `maxDays`, at the place of the parameter.
 */
export function period(
  { timezone, weekStart }: Membership,
  asked: { from?: Day | undefined; to?: Day | undefined },
  placeOf: (name: "from" | "to") => ErrorSource,
  now: Date,
): Period {
  const to = asked.to ?? latest(dayIn(timezone, now), asked.from);
  const from = asked.from ?? addDays(to, 1 - defaultDays);
  const count = daysBetween(from, to) + 1;
  if (count < 1)
    throw invalid(placeOf("to"), "before_from", "The last day must not be before the first day.");
  if (count > maxDays)
    throw invalid(placeOf("from"), "out_of_range", `A report covers ${maxDays} days at most.`);
  const starts = startsOfDays(from, count + 1, timezone);
  const end = starts.pop() as Date;
  const days = starts.map((start, at) => ({ day: addDays(from, at), start }));
  return { from, to, timezone, weekStart, days, end };
}

function latest(today: Day, from: Day | undefined): Day {
  return from !== undefined && from > today ? from : today;
}

/** The days, weeks, months or years that the period touches, in order and without a hole. The first may begin before it. */
export function bucketsOf({ days, weekStart }: Period, unit: Unit): Bucket[] {
  const buckets: Bucket[] = [];
  for (const { day, start } of days) {
    const key = keyOfDay(day, unit, weekStart);
    if (buckets.at(-1)?.key !== key) buckets.push({ key, label: labelOf(key, unit), start });
  }
  return buckets;
}

/** A week is named by its first day. */
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

/** The day of the period that an instant of it lies in. */
export function dayOf({ days, to }: Period, at: Date): Day {
  let [low, high] = [0, days.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((days[middle]?.start ?? at) <= at) low = middle;
    else high = middle - 1;
  }
  return days[low]?.day ?? to;
}

/** The finest unit with so few buckets that a chart of the period can be read. */
export function chartUnit({ days }: Period): Unit {
  if (days.length <= 62) return "day";
  return days.length <= 366 ? "week" : "month";
}
