import * as z from "zod/mini";
import { Day as AnyDay, dayIn, shifted } from "./day.ts";

/** No offset from UTC was ever larger than this, so a local day lies within so much of the UTC day of its name. */
const largestOffsetMs = 16 * 3_600_000;

/** A day that time can be tracked on. */
export const Day = AnyDay.check(z.regex(/^(?:19[789]|20)\d/, "Only days from 1970 to 2099."));

/**
 * The first instant of a day in this time zone: midnight, or the hour that the clocks jump to where they jump over
 * midnight. Found by halving, since the day of an instant never goes back as time goes on.
 */
export function startOfDay(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  let [before, there] = [(midnight - largestOffsetMs) / 1000, (midnight + largestOffsetMs) / 1000];
  while (there - before > 1) {
    const middle = Math.floor((before + there) / 2);
    if (dayIn(timeZone, new Date(middle * 1000)) < day) before = middle;
    else there = middle;
  }
  return new Date(there * 1000);
}

/**
 * The first instants of so many days in a row. A day mostly begins 24 hours after the one before, which is checked in a
 * tenth of the time that finding its beginning takes.
 */
export function startsOfDays(first: string, count: number, timeZone: string): Date[] {
  const starts: Date[] = [];
  for (let at = 0; at < count; at++) {
    const day = shifted(first, at);
    const guess = (starts.at(-1)?.getTime() ?? Number.NaN) + 86_400_000;
    const fits =
      at > 0 &&
      dayIn(timeZone, new Date(guess)) === day &&
      dayIn(timeZone, new Date(guess - 1000)) === shifted(day, -1);
    starts.push(fits ? new Date(guess) : startOfDay(day, timeZone));
  }
  return starts;
}

/** The instants of these days, both inclusive: from the first of `from` to before the first after `to`. */
export function span(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  timeZone: string,
): { since: Date | undefined; before: Date | undefined } {
  return {
    since: from === undefined ? undefined : startOfDay(from, timeZone),
    before: to === undefined ? undefined : startOfDay(shifted(to, 1), timeZone),
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
