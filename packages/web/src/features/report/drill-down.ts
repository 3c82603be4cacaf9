import type { Dimension } from "@svc/core/report/dimension";
import { addDays } from "../tracking/time-zone.ts";
import type { Days } from "./period.ts";

/** The filters of a report that the page Time entries has too. */
export const entryFilters = ["project_id", "user_id", "tag", "billable", "currency"] as const;

export type EntryFilters = Days & Partial<Record<(typeof entryFilters)[number] | "timezone", string>>;

/** A group on the way from the report to a row: its dimension and key. */
export type Step = { dimension: Dimension; key: string | null };

/**
 * Returns the URL of the page with the time entries of a group, or undefined if that page has no filter for it: for clients and
 * teams, and for entries without a project or tag.
 */
export function entriesOf(filters: EntryFilters, steps: readonly Step[]): string | undefined {
  const all: Record<string, string | undefined> = { ...filters };
  for (const { dimension, key } of steps) {
    if (key === null || key === "") return undefined;
    const days = daysOfGroup(dimension, key);
    if (days) {
      if (days.from > filters.from) all.from = days.from;
      if (days.to < filters.to) all.to = days.to;
    } else if (dimension === "project" || dimension === "user") all[`${dimension}_id`] = key;
    else if (dimension === "tag" || dimension === "billable" || dimension === "currency")
      all[dimension] = key;
    else return undefined;
  }
  const set = Object.entries(all).filter((one): one is [string, string] => Boolean(one[1]));
  return `/time-entries?${new URLSearchParams(set)}`;
}

/** Returns the days of a calendar unit by its key, or undefined for another dimension. */
export function daysOfGroup(dimension: Dimension, key: string): Days | undefined {
  if (dimension === "day") return { from: key, to: key };
  if (dimension === "week") return { from: key, to: addDays(key, 6) };
  if (dimension === "year") return { from: `${key}-01-01`, to: `${key}-12-31` };
  if (dimension !== "month") return undefined;
  const [year = 0, month = 0] = key.split("-").map(Number);
  return { from: `${key}-01`, to: new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10) };
}
