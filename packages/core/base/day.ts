import * as z from "zod/mini";

/** A calendar day, `YYYY-MM-DD`. Days of this form sort as text. */
export const Day = z.iso.date();
export type Day = z.infer<typeof Day>;

/** A time zone of the IANA database. */
export const Timezone = z.string().check(
  z.maxLength(64),
  z.refine((value) => {
    try {
      return Boolean(new Intl.DateTimeFormat("en", { timeZone: value }));
    } catch {
      return false;
    }
  }, "Not a time zone of the IANA database."),
);

/** Making a formatter costs a hundred times what using it does. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** The day that it is somewhere at a moment. Throws a RangeError for what is no time zone. */
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

/** So many days later, or earlier when negative. */
export function shifted(day: Day, days: number): Day {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/** How many days lie from one to another; negative when the second is the earlier one. */
export function daysFrom(first: Day, second: Day): number {
  return Math.round((Date.parse(second) - Date.parse(first)) / 86_400_000);
}

/** Monday to Friday. */
export function isWeekday(day: Day): boolean {
  return ![0, 6].includes(new Date(day).getUTCDay());
}
