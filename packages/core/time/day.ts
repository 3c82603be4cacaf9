import * as z from "zod/mini";

const dayMs = 86_400_000;

/** No offset from UTC was ever larger than this, so a local day lies within so much of the UTC day of its name. */
const largestOffsetMs = 16 * 3_600_000;

/** A calendar day as it is written in queries and answers, for example 2026-11-21. */
export const Day = z.iso.date().check(z.regex(/^(?:19[789]|20)\d/, "Only days from 1970 to 2099."));

const formats = new Map<string, Intl.DateTimeFormat>();

function format(timeZone: string): Intl.DateTimeFormat {
  let found = formats.get(timeZone);
  if (!found) {
    const calendar = { calendar: "gregory", numberingSystem: "latn" };
    const parts = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
    found = new Intl.DateTimeFormat("en-US", { ...calendar, ...parts, timeZone });
    formats.set(timeZone, found);
  }
  return found;
}

/** The day that an instant falls on in this time zone. */
export function dayOf(instant: Date, timeZone: string): string {
  const parts = format(timeZone).formatToParts(instant);
  const part = (name: string) => parts.find(({ type }) => type === name)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}`;
}

/**
 * The first instant of a day in this time zone: midnight, or the hour that the clocks jump to where they jump over
 * midnight. Found by halving, since the day of an instant never goes back as time goes on.
 */
export function startOfDay(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  let [before, there] = [(midnight - largestOffsetMs) / 1000, (midnight + largestOffsetMs) / 1000];
  while (there - before > 1) {
    const middle = Math.floor((before + there) / 2);
    if (dayOf(new Date(middle * 1000), timeZone) < day) before = middle;
    else there = middle;
  }
  return new Date(there * 1000);
}

/** The day so many days later, or earlier when negative. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** The instants of these days, both inclusive: from the first of `from` to before the first after `to`. */
export function span(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  timeZone: string,
): { since: Date | undefined; before: Date | undefined } {
  return {
    since: from === undefined ? undefined : startOfDay(from, timeZone),
    before: to === undefined ? undefined : startOfDay(addDays(to, 1), timeZone),
  };
}

/** The month of a day: its name, its first day, and the first of the next one. */
export function monthOf(day: string): { name: string; first: string; next: string } {
  const [year = 0, month = 0] = day.split("-").map(Number);
  return {
    name: day.slice(0, 7),
    first: `${day.slice(0, 7)}-01`,
    next: new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10),
  };
}
