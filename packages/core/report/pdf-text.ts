import { daysBetween } from "../base/day.ts";
import { minorUnits } from "../money/currency.ts";
import { type Cell, formatDuration, formatHours, type Kind } from "./document.ts";

const numbers = new Map<number, Intl.NumberFormat>();

/** Formats a decimal with thousands separators, without converting it to a float. */
function grouped(decimal: string, places: number): string {
  const found =
    numbers.get(places) ??
    new Intl.NumberFormat("en", { minimumFractionDigits: places, maximumFractionDigits: places });
  numbers.set(places, found);
  return found.format(decimal as Intl.StringNumericLiteral);
}

/** Formats a count, such as `1,234`. */
export function countText(count: number): string {
  return grouped(String(count), 0);
}

/** Formats seconds as hours and minutes with thousands separators, such as `1,234:05`. */
export function durationText(seconds: number): string {
  const [hours = "", minutes = ""] = formatDuration(seconds).split(":");
  return `${grouped(hours, 0)}:${minutes}`;
}

/** Formats seconds as decimal hours, such as `1,234.08`. */
export function hoursText(seconds: number): string {
  return grouped(formatHours(seconds, 2), 2);
}

const days = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const shortDays = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** Formats a day, such as `20 Nov 2026`. */
export function dayText(day: string): string {
  return days.format(new Date(day));
}

/** Formats a day without its year, such as `20 Nov`. */
export function shortDayText(day: string): string {
  return shortDays.format(new Date(day));
}

/** Formats a day and a time of day, such as `20 Nov 2026, 09:00`. */
export function timeText(time: string): string {
  return `${dayText(time.slice(0, 10))}, ${time.slice(11, 16)}`;
}

/** Returns the text of a cell. Times have no date, but say how many days they are from the day of their row, as in `01:15 +1`. */
export function cellText(cell: Cell, kind: Kind, day?: string): string {
  if (cell === null) return "";
  if (typeof cell === "object") return `${grouped(cell.amount, minorUnits(cell.currency))} ${cell.currency}`;
  if (kind === "duration" || kind === "seconds") return durationText(Number(cell));
  if (kind === "hours") return hoursText(Number(cell));
  if (kind === "count") return countText(Number(cell));
  if (kind === "decimal") return grouped(String(cell), 2);
  const text = String(cell);
  if (kind === "day") return dayText(text);
  if (kind === "local" || kind === "instant") {
    if (day === undefined) return timeText(text);
    const later = daysBetween(day, text.slice(0, 10));
    const sign = later > 0 ? "+" : "−";
    return text.slice(11, 16) + (later === 0 ? "" : ` ${sign}${Math.abs(later)}`);
  }
  return text.replace(/\s+/g, " ").trim();
}
