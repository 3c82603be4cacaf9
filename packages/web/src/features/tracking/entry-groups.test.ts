import { expect, test } from "vitest";
import type { TimeEntry } from "./entries.ts";
import { groupEntries } from "./entry-groups.ts";

const at = (startedAt: string) =>
  ({ id: startedAt, startedAt, durationSeconds: 60, billable: true }) as TimeEntry;

test("the last entry of each day is marked, also when the next one is in another week", () => {
  const entries = [at("2026-11-17T09:00:00Z"), at("2026-11-16T10:00:00Z"), at("2026-11-16T09:00:00Z")];
  const older = at("2026-11-13T09:00:00Z");
  const rows = groupEntries([...entries, older], { zone: "UTC", weekStart: 1, hasMore: true });
  expect(rows.map((row) => (row.kind === "entry" ? row.last : row.kind))).toEqual([
    ...["week", "day", true],
    ...["day", false, true],
    ...["week", "day", true],
  ]);
});
