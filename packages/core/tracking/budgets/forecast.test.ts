import { describe, expect, test } from "vitest";
import { due, forecast, type Spending } from "./forecast.ts";

const now = new Date("2026-11-16T00:00:00Z");
const monthEnd = new Date("2026-12-01T00:00:00Z");
const longAgo = new Date("2026-01-01T00:00:00Z");
const base = { firstAt: longAgo, endsAt: undefined, now };

const cases: [string, Omit<Spending, "now">, object][] = [
  [
    "no spending",
    { ...base, amount: 1000n, spent: 0n, recent: 0n },
    { percent: 0, forecastPercent: 0, usedUpAt: undefined },
  ],
  [
    "a half-spent budget without recent spending",
    { ...base, amount: 1000n, spent: 500n, recent: 0n },
    { percent: 50, forecastPercent: 50, usedUpAt: undefined },
  ],
  // 280 in 28 days are 10 a day: 300 more in 30 days, and the remaining 500 last 50 days.
  [
    "a half-spent budget with a pace of ten a day",
    { ...base, amount: 1000n, spent: 500n, recent: 280n },
    { percent: 50, forecastPercent: 80, usedUpAt: "2027-01-05" },
  ],
  // 15 days of the month are left, in which 150 more are spent. The remaining 500 would last 50 days, beyond its end.
  [
    "a half-spent monthly budget with a pace of ten a day",
    { ...base, endsAt: monthEnd, amount: 1000n, spent: 500n, recent: 280n },
    { percent: 50, forecastPercent: 65, usedUpAt: undefined },
  ],
  [
    "a monthly budget that is used up before the end of the month",
    { ...base, endsAt: monthEnd, amount: 600n, spent: 500n, recent: 280n },
    { percent: 83.33, forecastPercent: 108.33, usedUpAt: "2026-11-26" },
  ],
  [
    "a completely spent budget",
    { ...base, amount: 1000n, spent: 1000n, recent: 280n },
    { percent: 100, forecastPercent: 130, usedUpAt: "2026-11-16" },
  ],
  [
    "a completely spent budget without recent spending",
    { ...base, amount: 1000n, spent: 1000n, recent: 0n },
    { percent: 100, forecastPercent: 100, usedUpAt: "2026-11-16" },
  ],
  [
    "an overspent budget",
    { ...base, endsAt: monthEnd, amount: 1000n, spent: 2500n, recent: 0n },
    { percent: 250, forecastPercent: 250, usedUpAt: "2026-11-16" },
  ],
  // The project started today, so the pace is 70 in seven days, the shortest time to measure it.
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
    "a pace that needs more than ten years",
    { ...base, amount: 1_000_000n, spent: 1n, recent: 1n },
    { percent: 0, forecastPercent: 0, usedUpAt: undefined },
  ],
  [
    "slightly less than 75 percent, which is rounded down",
    { ...base, amount: 1_000_000n, spent: 749_999n, recent: 0n },
    { percent: 74.99, forecastPercent: 74.99, usedUpAt: undefined },
  ],
];

describe("forecast", () => {
  test.each(cases)("computes percentages and the date for %s", (_, spending, expected) => {
    const { usedUpAt, ...rest } = forecast({ ...spending, now });
    expect({ ...rest, usedUpAt: usedUpAt?.toISOString().slice(0, 10) }).toEqual(expected);
  });

  // 28,000 in 28 days are 1,000 a day. The period ends in 15 days, when another 15,000 are spent.
  const monthly = { ...base, endsAt: monthEnd, spent: 5000n, recent: 28_000n, now };

  test("has no date when the budget is used up exactly at the end of the period", () => {
    expect(forecast({ ...monthly, amount: 20_000n })).toEqual({
      percent: 25,
      forecastPercent: 100,
      usedUpAt: undefined,
    });
  });

  test("has a date when the budget is used up just before the end of the period", () => {
    const { forecastPercent, usedUpAt } = forecast({ ...monthly, amount: 19_999n });
    expect(forecastPercent).toBe(100);
    expect(usedUpAt).toEqual(new Date(monthEnd.getTime() - 86_400));
  });

  test("has no date when the budget lasts just past the end of the period", () => {
    expect(forecast({ ...monthly, amount: 20_001n }).usedUpAt).toBeUndefined();
  });

  test("adds nothing to the spending at the end of the period", () => {
    const atEnd = forecast({ ...monthly, amount: 10_000n, now: monthEnd });
    expect(atEnd).toEqual({ percent: 50, forecastPercent: 50, usedUpAt: undefined });
  });

  test.each([
    [3650, "2036-11-13"],
    [3651, undefined],
  ])("returns a date at most ten years ahead: %i days", (days, expected) => {
    const { usedUpAt } = forecast({ ...base, amount: BigInt(days) + 28n, spent: 28n, recent: 28n, now });
    expect(usedUpAt?.toISOString().slice(0, 10)).toBe(expected);
  });
});

describe("due", () => {
  test.each([
    [75, 74.99, 90, []],
    [75, 75, 90, ["threshold"]],
    [75, 80, 100, ["threshold"]],
    [75, 80, 100.01, ["threshold", "forecast"]],
    [75, 10, 140, ["forecast"]],
    [100, 99.99, 99.99, []],
    [50, 50, 50, ["threshold"]],
  ])(
    "with an alert at %i percent, %d spent and %d forecast returns %j",
    (alert, percent, forecastPercent, reasons) => {
      expect(due(alert, { percent, forecastPercent, usedUpAt: undefined })).toEqual(reasons);
    },
  );
});
