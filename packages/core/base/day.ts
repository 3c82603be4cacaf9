import * as z from "zod/mini";

/** A calendar day, `YYYY-MM-DD`. Days sort as text. */
export const Day = z.iso.date().check(z.meta({ description: "A calendar day (ISO 8601)." }));
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
  z.meta({ description: "The name of a time zone in the IANA database.", examples: ["Europe/Berlin"] }),
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

/** Formatters of local times by time zone. Swedish dates have the form of ISO 8601. */
const localFormatters = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the local date and time in a time zone at an instant, such as `2026-10-25 02:30:00`. When clocks are set back, two
 * instants have the same local time.
 */
export function localTime(timezone: string, at: Date): string {
  let formatter = localFormatters.get(timezone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("sv-SE", {
      timeZone: timezone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
    });
    localFormatters.set(timezone, formatter);
  }
  return formatter.format(at);
}

/** Returns the day `days` later, or earlier when negative. */
export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Returns the number of days from `first` to `second`; negative when `second` is earlier. */
export function daysBetween(first: Day, second: Day): number {
  return Math.round((Date.parse(second) - Date.parse(first)) / 86_400_000);
}
