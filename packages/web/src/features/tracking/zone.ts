const dayMs = 86_400_000;

/** What the clock of a time zone shows at an instant, as `<input type="datetime-local">` writes it; seconds only when there are any. */
export function wallClock(at: Date, zone: string): string {
  const parts = new Intl.DateTimeFormat("en-u-ca-iso8601-hc-h23", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  })
    .formatToParts(at)
    .map(({ type, value }) => [type, value]);
  const { year, month, day, hour, minute, second } = Object.fromEntries(parts) as Record<string, string>;
  return `${year}-${month}-${day}T${hour}:${minute}${second === "00" ? "" : `:${second}`}`;
}

/**
 * The instant at which a clock shows this. An hour that comes twice is taken the first time; one that is left out is
 * taken as if the clock had not been moved yet. An invalid Date for what is no time.
 */
export function instantOf(wall: string, zone: string): Date {
  const asUtc = Date.parse(`${wall}Z`);
  if (Number.isNaN(asUtc)) return new Date(Number.NaN);
  const ahead = (at: number) => Date.parse(`${wallClock(new Date(at), zone)}Z`) - at;
  const candidates = [asUtc - ahead(asUtc - dayMs), asUtc - ahead(asUtc + dayMs)];
  const right = candidates.filter((at) => at + ahead(at) === asUtc);
  return new Date(right.length > 0 ? Math.min(...right) : (candidates[0] ?? Number.NaN));
}

/** The day (`YYYY-MM-DD`) that it is somewhere. */
export function dayIn(zone: string, at: Date): string {
  return wallClock(at, zone).slice(0, 10);
}

/** So many days later, or earlier when negative. */
export function shifted(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}
