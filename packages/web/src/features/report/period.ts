import { dayIn, shifted } from "../tracking/zone.ts";

/** Periods that people ask for most; `days` says which they are, both days inclusive. */
export const presets = [
  { value: "last-30-days", label: "Last 30 days" },
  { value: "this-week", label: "This week" },
  { value: "last-week", label: "Last week" },
  { value: "this-month", label: "This month" },
  { value: "last-month", label: "Last month" },
  { value: "this-year", label: "This year" },
  { value: "last-year", label: "Last year" },
  { value: "custom", label: "From … to …" },
] as const;

export type Preset = (typeof presets)[number]["value"];

export type Days = { from: string; to: string };

/** The days of a preset, seen from a day; those given for `custom`. `weekStart`: 1 is Monday, 7 is Sunday. */
export function daysOf(preset: string, today: string, weekStart: number, custom: Days): Days {
  const weekday = new Date(today).getUTCDay() || 7;
  const first = shifted(today, -((weekday - weekStart + 7) % 7));
  const [year, month] = today.split("-").map(Number) as [number, number];
  switch (preset as Preset) {
    case "this-week":
      return { from: first, to: shifted(first, 6) };
    case "last-week":
      return { from: shifted(first, -7), to: shifted(first, -1) };
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
      return { from: shifted(today, -29), to: today };
  }
}

/** Today in the time zone of a workspace. */
export function today({ timezone }: { timezone: string }): string {
  return dayIn(timezone, new Date());
}

/** Months count from 1, and over the ends of the year; day 0 is the last one of the month before. */
function date(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}
