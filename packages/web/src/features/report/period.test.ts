import { expect, test } from "vitest";
import { comparedDays, daysOf, keysOf, moved, unitsOf } from "./period.ts";

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

test.each([
  ["a month", "2026-03-01", "2026-03-31", "2026-02-01", "2026-02-28"],
  ["a year", "2025-01-01", "2025-12-31", "2024-01-01", "2024-12-31"],
  ["a week", "2026-11-16", "2026-11-22", "2026-11-09", "2026-11-15"],
  ["one day", "2026-03-01", "2026-03-01", "2026-02-28", "2026-02-28"],
])("moved returns what is before and after %s", (_, from, to, earlierFrom, earlierTo) => {
  const earlier = { from: earlierFrom, to: earlierTo };
  expect(moved({ from, to }, -1)).toEqual(earlier);
  expect(moved(earlier, 1)).toEqual({ from, to });
});

test.each([
  ["previous", "2026-12-31", "2026-10-01", "2026-10-31"],
  ["previous", "2026-11-22", "2026-10-01", "2026-10-22"],
  ["year", "2026-12-31", "2025-11-01", "2025-11-30"],
])("comparedDays compares November 2026 with %s, on %s", (compare, today, from, to) => {
  expect(comparedDays({ from: "2026-11-01", to: "2026-11-30" }, compare, today)).toEqual({ from, to });
});

test("comparedDays compares the last day of February with a shorter one", () => {
  const leap = { from: "2028-02-29", to: "2028-02-29" };
  expect(comparedDays(leap, "year", "2030-01-01")).toEqual({ from: "2027-02-28", to: "2027-02-28" });
  expect(comparedDays(leap, "none", "2030-01-01")).toBeUndefined();
});

test("keysOf returns the days, weeks or months that a period touches", () => {
  const days = { from: "2026-10-31", to: "2026-11-02" };
  expect(keysOf(days, "day", 1)).toEqual(["2026-10-31", "2026-11-01", "2026-11-02"]);
  expect(keysOf(days, "week", 1)).toEqual(["2026-10-26", "2026-11-02"]);
  expect(keysOf(days, "month", 1)).toEqual(["2026-10", "2026-11"]);
});

test.each([
  ["2026-11-30", "day", ["day", "week"]],
  ["2026-12-31", "day", ["day", "week", "month"]],
  ["2027-03-01", "week", ["week", "month"]],
  ["2028-03-01", "month", ["week", "month"]],
])("unitsOf chooses readable bars for a period until %s", (to, fitting, units) => {
  expect(unitsOf({ from: "2026-11-01", to })).toEqual({ units, fitting });
});
