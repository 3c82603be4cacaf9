import * as z from "zod/mini";

/** A calendar day, `YYYY-MM-DD`. Days sort as text. */
export const Day = z.iso.date();
export type Day = z.infer<typeof Day>;

/** The name of a time zone in the IANA database. */
export const Timezone = z.string().check(
  z.maxLength(64),
  z.refine((value) => {
    try {
      return Boolean(new Intl.DateTimeFormat("en", { timeZone: value }));
    } catch {
      return false;
    }
  }, "Use an IANA time zone such as Europe/Berlin."),
);

/** Formatters by time zone: creating one takes about a hundred times as long as using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns the local day in a time zone at an instant. Throws a RangeError for an unknown time zone. */
export function dayIn(timezone: string, at: Date): Day {
  let formatter = formatters.get(timezone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("en-u-ca-iso8601", {
      timeZone: timezone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    });
    formatters.set(timezone, formatter);
  }
  const parts = Object.fromEntries(formatter.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.year?.padStart(4, "0")}-${parts.month}-${parts.day}`;
}

/** Returns the day `days` later, or earlier when negative. */
export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Returns the number of days from `first` to `second`; negative when `second` is earlier. */
export function daysBetween(first: Day, second: Day): number {
  return Math.round((Date.parse(second) - Date.parse(first)) / 86_400_000);
}

/** Returns whether a day is Monday to Friday. */
export function isWeekday(day: Day): boolean {
  return ![0, 6].includes(new Date(day).getUTCDay());
}
