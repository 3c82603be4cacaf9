import { addDays, dayIn, firstOfWeek } from "../tracking/time-zone.ts";
import { messages } from "./messages.ts";

export type Preset = keyof typeof messages.presets;

/** The options of the period select. */
export const presets = Object.entries(messages.presets).map(([value, label]) => ({ value, label }));

/** The first and last day of a period. */
export type Days = { from: string; to: string };

/**
 * Returns the first and last day of a preset, relative to `today`, or `custom` for the custom period. `weekStart` is 1 for
 * Monday to 7 for Sunday.
 */
export function daysOf(preset: string, today: string, weekStart: number, custom: Days): Days {
  const first = firstOfWeek(today, weekStart);
  const [year, month] = today.split("-").map(Number) as [number, number];
  switch (preset as Preset) {
    case "this-week":
      return { from: first, to: addDays(first, 6) };
    case "last-week":
      return { from: addDays(first, -7), to: addDays(first, -1) };
    case "this-month":
      return { from: date(year, month, 1), to: date(year, month + 1, 0) };
    case "last-month":
      return { from: date(year, month - 1, 1), to: date(year, month, 0) };
    case "this-year":
      return { from: date(year, 1, 1), to: date(year, 12, 31) };
    case "last-year":
      return { from: date(year - 1, 1, 1), to: date(year - 1, 12, 31) };
    case "custom":
      return custom;
    default:
      return { from: addDays(today, -29), to: today };
  }
}

/** Returns today's date in the time zone of a workspace. */
export function today({ timezone }: { timezone: string }): string {
  return dayIn(timezone, new Date());
}

/** Formats a date. Months start at 1 and may overflow the year; day 0 is the last day of the previous month. */
function date(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

/** Units of the bars of a report. */
export type Unit = "day" | "week" | "month";

/** Returns the units in which a period can be drawn, and the one that keeps it readable. */
export function unitsOf(days: Days): { units: Unit[]; fitting: Unit } {
  const count = daysBetween(days) + 1;
  const units: Unit[] =
    count <= 31 ? ["day", "week"] : count <= 92 ? ["day", "week", "month"] : ["week", "month"];
  return { units, fitting: count <= 62 ? "day" : count <= 366 ? "week" : "month" };
}

/** Returns the keys of the units that a period touches, as reports have them. */
export function keysOf({ from, to }: Days, unit: Unit, weekStart: number): string[] {
  const keys: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const key = unit === "day" ? day : unit === "month" ? day.slice(0, 7) : firstOfWeek(day, weekStart);
    if (keys.at(-1) !== key) keys.push(key);
  }
  return keys;
}

/** Moves a period by its own length: a month to another month, a year to another year, other periods by their days. */
export function moved({ from, to }: Days, by: 1 | -1): Days {
  const [year, month] = from.split("-").map(Number) as [number, number];
  const isMonth = from === date(year, month, 1) && to === date(year, month + 1, 0);
  if (isMonth) return { from: date(year, month + by, 1), to: date(year, month + by + 1, 0) };
  if (from === date(year, 1, 1) && to === date(year, 12, 31))
    return { from: date(year + by, 1, 1), to: date(year + by, 12, 31) };
  const length = (daysBetween({ from, to }) + 1) * by;
  return { from: addDays(from, length), to: addDays(to, length) };
}

/**
 * Returns the days that a period is compared with: the period before, or the same days a year before. Of a period that has not
 * ended, only as many days as have passed are compared.
 */
export function comparedDays(days: Days, compare: string, today: string): Days | undefined {
  if (compare === "none") return undefined;
  const before = compare === "year" ? yearBefore(days) : moved(days, -1);
  if (today < days.from || today >= days.to) return before;
  const until = addDays(before.from, daysBetween({ from: days.from, to: today }));
  return { from: before.from, to: until < before.to ? until : before.to };
}

function yearBefore({ from, to }: Days): Days {
  const back = (day: string) => {
    const [year, month, at] = day.split("-").map(Number) as [number, number, number];
    // 29 February becomes 28 February.
    const last = new Date(Date.UTC(year - 1, month, 0)).getUTCDate();
    return date(year - 1, month, Math.min(at, last));
  };
  return { from: back(from), to: back(to) };
}

function daysBetween({ from, to }: Days): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}
