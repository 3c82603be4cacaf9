import { expect, test } from "vitest";
import { daysOf } from "./period.ts";

const custom = { from: "2020-02-03", to: "2020-02-05" };

test.each([
  ["last-30-days", "2026-03-01", 1, "2026-01-31", "2026-03-01"],
  ["this-week", "2026-11-22", 1, "2026-11-16", "2026-11-22"],
  ["this-week", "2026-11-22", 7, "2026-11-22", "2026-11-28"],
  ["last-week", "2026-01-01", 1, "2025-12-22", "2025-12-28"],
  ["this-month", "2028-02-29", 1, "2028-02-01", "2028-02-29"],
  ["last-month", "2026-01-31", 1, "2025-12-01", "2025-12-31"],
  ["this-year", "2026-06-15", 1, "2026-01-01", "2026-12-31"],
  ["last-year", "2026-06-15", 1, "2025-01-01", "2025-12-31"],
  ["custom", "2026-06-15", 1, custom.from, custom.to],
])(
  "daysOf returns %s on %s, when weeks start on day %i, as %s to %s",
  (preset, today, weekStart, from, to) => {
    expect(daysOf(preset, today, weekStart, custom)).toEqual({ from, to });
  },
);
