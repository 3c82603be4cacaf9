const dayMs = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the format of a zone, which is kept because making one takes longer than using it. */
function formatIn(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-u-ca-iso8601-hc-h23", {
      timeZone: zone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formats.set(zone, format);
  }
  return format;
}

/** Formats an instant as the local time of a zone, for a `DateTimeField`. Omits the seconds if they are zero. */
export function localTime(at: Date, zone: string): string {
  const parts = formatIn(zone)
    .formatToParts(at)
    .map(({ type, value }) => [type, value]);
  const { year = "", month, day, hour, minute, second } = Object.fromEntries(parts) as Record<string, string>;
  return `${year.padStart(4, "0")}-${month}-${day}T${hour}:${minute}${second === "00" ? "" : `:${second}`}`;
}

/**
 * Returns the instant of a local time. When clocks are set back, an ambiguous time means its first occurrence. When they are
 * set forward, a skipped time is read with the offset from before the change. Returns an invalid Date for malformed input.
 */
export function instantOf(local: string, zone: string): Date {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return new Date(Number.NaN);
  const offset = (at: number) => Date.parse(`${localTime(new Date(at), zone)}Z`) - at;
  const candidates = [asUtc - offset(asUtc - dayMs), asUtc - offset(asUtc + dayMs)];
  const matching = candidates.filter((at) => at + offset(at) === asUtc);
  return new Date(matching.length > 0 ? Math.min(...matching) : (candidates[0] ?? Number.NaN));
}

/** Returns the parameter with which the API takes days in a time zone instead of the workspace's, to add to others. */
export function daysIn(timezone: string): { timezone: string } {
  return { timezone };
}

const compared = new Map<string, boolean>();

/** Returns whether the clocks of two time zones show the same time on each day from a year ago until a year from now. */
export function sameClock(a: string, b: string): boolean {
  if (a === b) return true;
  const key = `${a} ${b}`;
  const known = compared.get(key);
  if (known !== undefined) return known;
  const noon = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2;
  let same = true;
  for (let day = -366; same && day <= 366; day++) {
    const at = new Date(noon + day * dayMs);
    same = localTime(at, a) === localTime(at, b);
  }
  compared.set(key, same);
  return same;
}

/** Returns the date (`YYYY-MM-DD`) of an instant in a time zone. */
export function dayIn(zone: string, at: Date): string {
  return localTime(at, zone).slice(0, 10);
}

/** Adds days to a date (`YYYY-MM-DD`); a negative number subtracts them. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

/** Returns the first day of the week of a day. `weekStart` is 1 for Monday to 7 for Sunday. */
export function firstOfWeek(day: string, weekStart: number): string {
  const weekday = new Date(day).getUTCDay() || 7;
  return addDays(day, -((weekday - weekStart + 7) % 7));
}
