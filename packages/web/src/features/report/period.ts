import { addDays, dayIn, firstOfWeek } from "../tracking/time-zone.ts";

/** The options of the period select. */
export const presets = [
  { value: "last-30-days", label: "Last 30 days" },
  { value: "this-week", label: "This week" },
  { value: "last-week", label: "Last week" },
  { value: "this-month", label: "This month" },
  { value: "last-month", label: "Last month" },
  { value: "this-year", label: "This year" },
  { value: "last-year", label: "Last year" },
  { value: "custom", label: "Custom period" },
] as const;

export type Preset = (typeof presets)[number]["value"];

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
