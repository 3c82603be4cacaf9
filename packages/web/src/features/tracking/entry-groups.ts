import type { TimeEntry } from "./entries.ts";
import { addDays, dayIn, firstOfWeek } from "./time-zone.ts";

/** Time of several entries. `seconds` is undefined while not all of them are loaded. */
export type Sum = { seconds: number; billable: number; complete: boolean };

/** A row of the list of entries: the head of a week, the head of a day, or an entry. */
export type Row =
  | { kind: "week"; key: string; from: string; to: string; sum: Sum }
  | { kind: "day"; key: string; day: string; sum: Sum }
  | { kind: "entry"; key: string; entry: TimeEntry; last: boolean };

/**
 * Groups entries, the newest first, by week and day in a time zone. The sums of the last week and day are complete only if
 * `hasMore` is false, because the next entries may belong to them. Running timers count as long as they had when they were loaded.
 */
export function groupEntries(
  entries: readonly TimeEntry[],
  { zone, weekStart, hasMore }: { zone: string; weekStart: number; hasMore: boolean },
): Row[] {
  const rows: Row[] = [];
  let week: Extract<Row, { kind: "week" }> | undefined;
  let day: Extract<Row, { kind: "day" }> | undefined;
  for (const entry of entries) {
    const date = dayOf(entry, zone);
    if (!week || !day || date !== day.day) {
      const before = rows.at(-1);
      if (before?.kind === "entry") before.last = true;
      const monday = firstOfWeek(date, weekStart);
      if (!week || monday !== week.from) {
        week = { kind: "week", key: `week ${monday}`, from: monday, to: addDays(monday, 6), sum: none() };
        rows.push(week);
      }
      day = { kind: "day", key: `day ${date}`, day: date, sum: none() };
      rows.push(day);
    }
    for (const { sum } of [week, day]) {
      sum.seconds += entry.durationSeconds;
      if (entry.billable) sum.billable += entry.durationSeconds;
    }
    rows.push({ kind: "entry", key: entry.id, entry, last: false });
  }
  const end = rows.at(-1);
  if (end?.kind === "entry") end.last = true;
  for (const group of [week, day]) if (group && hasMore) group.sum.complete = false;
  return rows;
}

const days = new WeakMap<TimeEntry, { zone: string; day: string }>();

/** Returns the day of an entry. It is kept with the entry, because a long list is grouped again after each change. */
function dayOf(entry: TimeEntry, zone: string): string {
  const known = days.get(entry);
  if (known?.zone === zone) return known.day;
  const day = dayIn(zone, new Date(entry.startedAt));
  days.set(entry, { zone, day });
  return day;
}

function none(): Sum {
  return { seconds: 0, billable: 0, complete: true };
}
