import * as z from "zod/mini";
import { addDays, dayIn } from "./day.ts";

/**
 * Larger than any UTC offset in history. A local day starts at most this long before or after the UTC day with the same date.
 */
const largestOffsetMs = 16 * 3_600_000;

/** Hours by which clocks were set back just after midnight: by three in Casey in 2010, by one in Newfoundland until 2010. */
const repeatedHours = [3, 1];

/** A day on which time can be tracked. */
export const Day = z.iso
  .date()
  .check(
    z.regex(/^(?:19[789]|20)\d/, "Use a day from 1970 to 2099."),
    z.meta({ format: "date", description: "A calendar day from 1970 to 2099 (ISO 8601)." }),
  );

/** An instant from 1970 to 2099 with any UTC offset. */
export const InstantWithOffset = z.iso.datetime({ offset: true }).check(
  z.regex(/^(?:19[789]|20)\d/, "Time must be between 1970 and 2099."),
  z.meta({
    format: "date-time",
    description: "An instant from 1970 to 2099 (RFC 3339), with any UTC offset.",
  }),
);

/**
 * Returns the first instant of a day in a time zone: midnight, or the first instant after it where the clocks skip midnight.
 * Uses a binary search for an instant at which the day begins. If midnight comes twice, returns the first one.
 */
export function startOfDay(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const isBefore = (second: number) => dayIn(timeZone, new Date(second * 1000)) < day;
  let [before, start] = [(midnight - largestOffsetMs) / 1000, (midnight + largestOffsetMs) / 1000];
  while (start - before > 1) {
    const middle = Math.floor((before + start) / 2);
    if (isBefore(middle)) before = middle;
    else start = middle;
  }
  const earlier = repeatedHours.map((hours) => start - hours * 3600).find((second) => !isBefore(second));
  return new Date((earlier ?? start) * 1000);
}

/**
 * Returns the first instants of `count` consecutive days. Most days begin 24 hours after the previous one; checking that
 * takes a tenth of the time of a search.
 */
export function startsOfDays(first: string, count: number, timeZone: string): Date[] {
  const starts: Date[] = [];
  for (let at = 0; at < count; at++) {
    const day = addDays(first, at);
    const guess = (starts.at(-1)?.getTime() ?? Number.NaN) + 86_400_000;
    const correct =
      at > 0 &&
      dayIn(timeZone, new Date(guess)) === day &&
      dayIn(timeZone, new Date(guess - 1000)) === addDays(day, -1);
    starts.push(correct ? new Date(guess) : startOfDay(day, timeZone));
  }
  return starts;
}

/** Returns the instants of a range of days, both inclusive: from the start of `from` to before the start of the day after `to`. */
export function dayRange(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  timeZone: string,
): { since: Date | undefined; before: Date | undefined } {
  return {
    since: from === undefined ? undefined : startOfDay(from, timeZone),
    before: to === undefined ? undefined : startOfDay(addDays(to, 1), timeZone),
  };
}

/** Returns the month of a day: its name, its first day, and the first day of the next month. */
export function monthOf(day: string): { name: string; first: string; next: string } {
  const [year = 0, month = 0] = day.split("-").map(Number);
  return {
    name: day.slice(0, 7),
    first: `${day.slice(0, 7)}-01`,
    next: new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10),
  };
}
