/** A day such as `2026-04-05`. */
export type Day = string;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the milliseconds by which the clocks of a time zone are ahead of UTC, from the name of the offset: `GMT+10:30`. */
function ahead(zone: string, at: number): number {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
  formats.set(zone, format);
  const name = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign = "+", hours = 0, minutes = 0, seconds = 0] =
    /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(name) ?? [];
  return (sign === "-" ? -1000 : 1000) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

/** Returns the local time at an instant in milliseconds: `2026-04-05 01:59:59`. */
export function wallClock(zone: string, at: number): string {
  return new Date(at + ahead(zone, at)).toISOString().slice(0, 19).replace("T", " ");
}

/** Returns the local date at an instant. */
export const dayAt = (zone: string, at: number): Day => wallClock(zone, at).slice(0, 10);

/** Returns an instant with this local time, or a close one if clocks skip the time. */
export function instantOf(zone: string, day: Day, seconds: number): number {
  const wall = Date.parse(`${day}T00:00:00Z`) + seconds * 1000;
  const guess = wall - ahead(zone, wall);
  return wall - ahead(zone, guess);
}

export function daysLater(day: Day, days: number): Day {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Returns the days from one to another, both included. */
export function daysFrom(first: Day, last: Day): Day[] {
  const days: Day[] = [];
  for (let day = first; day <= last; day = daysLater(day, 1)) days.push(day);
  return days;
}

/** Returns the first day of the week of a day. Weeks begin on this weekday, where 1 is Monday and 7 is Sunday. */
export function weekOf(day: Day, begins: number): Day {
  let first = day;
  while ((new Date(`${first}T00:00:00Z`).getUTCDay() || 7) !== begins) first = daysLater(first, -1);
  return first;
}
