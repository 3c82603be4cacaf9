import { describe, expect, test } from "vitest";
import { due, forecast, type Spending } from "./forecast.ts";

const now = new Date("2026-11-16T00:00:00Z");
const monthEnd = new Date("2026-12-01T00:00:00Z");
const longAgo = new Date("2026-01-01T00:00:00Z");
const base = { firstAt: longAgo, endsAt: undefined, now };

const cases: [string, Omit<Spending, "now">, object][] = [
  [
    "nothing spent",
    { ...base, amount: 1000n, spent: 0n, recent: 0n },
    { percent: 0, forecastPercent: 0, usedUpAt: undefined },
  ],
  [
    "half spent, at rest",
    { ...base, amount: 1000n, spent: 500n, recent: 0n },
    { percent: 50, forecastPercent: 50, usedUpAt: undefined },
  ],
  // 280 in 28 days are 10 a day: 300 more in 30 days, and 500 are left for 50 days.
  [
    "half spent, ten a day",
    { ...base, amount: 1000n, spent: 500n, recent: 280n },
    { percent: 50, forecastPercent: 80, usedUpAt: "2027-01-05" },
  ],
  // 15 days are left of the month: 150 more, and 50 days are too far.
  [
    "the same in a month",
    { ...base, endsAt: monthEnd, amount: 1000n, spent: 500n, recent: 280n },
    { percent: 50, forecastPercent: 65, usedUpAt: undefined },
  ],
  [
    "a month that will not do",
    { ...base, endsAt: monthEnd, amount: 600n, spent: 500n, recent: 280n },
    { percent: 83.33, forecastPercent: 108.33, usedUpAt: "2026-11-26" },
  ],
  [
    "all spent",
    { ...base, amount: 1000n, spent: 1000n, recent: 280n },
    { percent: 100, forecastPercent: 130, usedUpAt: "2026-11-16" },
  ],
  [
    "more than all spent",
    { ...base, endsAt: monthEnd, amount: 1000n, spent: 2500n, recent: 0n },
    { percent: 250, forecastPercent: 250, usedUpAt: "2026-11-16" },
  ],
  // Begun today: 100 count as spent in seven days, not in no time.
  [
    "the first hours of a project",
    { ...base, firstAt: now, amount: 1000n, spent: 70n, recent: 70n },
    { percent: 7, forecastPercent: 37, usedUpAt: "2027-02-17" },
  ],
  [
    "a project of two weeks",
    { ...base, firstAt: new Date("2026-11-02T00:00:00Z"), amount: 1000n, spent: 140n, recent: 140n },
    { percent: 14, forecastPercent: 44, usedUpAt: "2027-02-10" },
  ],
  [
    "so slow that it takes more than ten years",
    { ...base, amount: 1_000_000n, spent: 1n, recent: 1n },
    { percent: 0, forecastPercent: 0, usedUpAt: undefined },
  ],
  [
    "a hair under 75 percent is not 75",
    { ...base, amount: 1_000_000n, spent: 749_999n, recent: 0n },
    { percent: 74.99, forecastPercent: 74.99, usedUpAt: undefined },
  ],
];

test.each(cases)("%s", (_, spending, expected) => {
  const { usedUpAt, ...rest } = forecast({ ...spending, now });
  expect({ ...rest, usedUpAt: usedUpAt?.toISOString().slice(0, 10) }).toEqual(expected);
});

describe("warnings are due", () => {
  test.each([
    [75, 74.99, 90, []],
    [75, 75, 90, ["threshold"]],
    [75, 80, 100, ["threshold"]],
    [75, 80, 100.01, ["threshold", "forecast"]],
    [75, 10, 140, ["forecast"]],
    [100, 99.99, 99.99, []],
    [50, 50, 50, ["threshold"]],
  ])("at %i percent, %d spent and %d foreseen: %j", (alert, percent, forecastPercent, reasons) => {
    expect(due(alert, { percent, forecastPercent, usedUpAt: undefined })).toEqual(reasons);
  });
});
