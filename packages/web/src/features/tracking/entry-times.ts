import type { TimeEntry, TimeEntryChanges } from "@svc/client";
import { timeZone } from "../../base/format.ts";
import { entryMessages as text } from "./messages.ts";
import { Unclear } from "./text-cell.tsx";
import { readDuration, readTime } from "./time-text.ts";
import { addDays, dayIn, instantOf } from "./time-zone.ts";

/** Returns the changes for a start that was typed: that time on the day of the entry. Throws `Unclear`. */
export function startChange({ startedAt, endedAt }: TimeEntry, typed: string): TimeEntryChanges {
  const zone = timeZone();
  const start = instantOf(`${dayIn(zone, new Date(startedAt))}T${clock(typed)}`, zone);
  if (endedAt && start > new Date(endedAt)) throw new Unclear(text.startAfterEnd);
  if (!endedAt && start.getTime() > Date.now()) throw new Unclear(text.startInFuture);
  return { startedAt: start.toISOString() };
}

/** Returns the changes for an end that was typed: the first such time after the start. Throws `Unclear`. */
export function endChange({ startedAt }: TimeEntry, typed: string): TimeEntryChanges {
  const zone = timeZone();
  const day = dayIn(zone, new Date(startedAt));
  const time = clock(typed);
  const sameDay = instantOf(`${day}T${time}`, zone);
  const end = sameDay < new Date(startedAt) ? instantOf(`${addDays(day, 1)}T${time}`, zone) : sameDay;
  return { endedAt: end.toISOString() };
}

/** Returns the changes for a duration that was typed: a new end, or for a running timer a new start. Throws `Unclear`. */
export function durationChange({ startedAt, endedAt }: TimeEntry, typed: string): TimeEntryChanges {
  const seconds = readDuration(typed);
  if (seconds === undefined) throw new Unclear(text.durationUnclear);
  if (!endedAt) return { startedAt: new Date(Date.now() - seconds * 1000).toISOString() };
  return { endedAt: new Date(Date.parse(startedAt) + seconds * 1000).toISOString() };
}

function clock(typed: string): string {
  const time = readTime(typed);
  if (!time) throw new Unclear(text.timeUnclear);
  return time;
}
