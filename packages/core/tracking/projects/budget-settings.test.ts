import { describe, expect, test } from "vitest";
import { columns, Decimal, formatAmount, Input, view } from "./budget-settings.ts";

const errorWith = (code: string) =>
  expect.objectContaining({
    details: { errors: [expect.objectContaining({ pointer: "/budget/amount", code })] },
  });

describe("columns", () => {
  test("has no budget for null", () => {
    const none = { budget_type: null, budget_amount: null, budget_period: null, budget_alert_percent: null };
    expect(columns(null, "EUR")).toEqual(none);
  });

  test("is for the whole project and alerts at 75 percent unless told otherwise", () => {
    expect(columns({ type: "money", amount: "12.50" }, "EUR")).toEqual({
      budget_type: "money",
      budget_amount: 1250n,
      budget_period: "total",
      budget_alert_percent: 75,
    });
  });

  test("keeps the period and the alert of the input", () => {
    const input = { type: "hours", amount: "1", period: "month", alertThresholdPercent: 1 } as const;
    expect(columns(input, "EUR")).toMatchObject({ budget_period: "month", budget_alert_percent: 1 });
  });

  test.each([
    ["0.01", 36n],
    ["1.5", 5400n],
    ["1.500", 5400n],
    ["999999999", 3_599_999_996_400n],
  ])("stores %s hours as %i seconds", (amount, seconds) => {
    expect(columns({ type: "hours", amount }, "EUR").budget_amount).toBe(seconds);
  });

  test.each([
    ["hours", "1.001", "amount_too_precise"],
    ["hours", "0", "too_small"],
    ["hours", "0.00", "too_small"],
    ["money", "0.00", "too_small"],
    ["money", "0.001", "amount_too_precise"],
  ] as const)("rejects a budget of type %s of %s with %s", (type, amount, code) => {
    expect(() => columns({ type, amount }, "EUR")).toThrow(errorWith(code));
  });
});

describe("view", () => {
  const none = { budget_type: null, budget_amount: null, budget_period: null, budget_alert_percent: null };

  test("is null without a budget", () => {
    expect(view({ ...none, currency: "EUR" })).toBeNull();
    expect(view({ ...none, budget_type: "money", currency: "EUR" })).toBeNull();
    expect(view({ ...none, budget_amount: 1n, currency: "EUR" })).toBeNull();
  });

  test.each([
    [1, 1],
    [100, 100],
    [null, 75],
  ])("of a row with an alert at %j percent has one at %i", (stored, alertThresholdPercent) => {
    const row = { ...columns({ type: "money", amount: "1" }, "EUR"), budget_alert_percent: stored };
    expect(view({ ...row, currency: "EUR" })).toMatchObject({ alertThresholdPercent });
  });

  test.each([
    [{ type: "money", amount: "12.50" }, "12.50"],
    [{ type: "hours", amount: "1.5" }, "1.50"],
  ] as const)("returns what `columns` stored for %j", (input, amount) => {
    const row = { ...columns(input, "EUR"), currency: "EUR" };
    expect(view(row)).toEqual({ type: input.type, amount, period: "total", alertThresholdPercent: 75 });
  });
});

test.each([
  [0n, "0.00"],
  [35n, "0.00"],
  [36n, "0.01"],
  [3599n, "0.99"],
  [3600n, "1.00"],
])("formatAmount: %i seconds are %s hours, rounded down", (seconds, hours) => {
  expect(formatAmount(seconds, "hours", "EUR")).toBe(hours);
});

describe("Decimal", () => {
  test.each([
    ["12.50", "12.50"],
    [12.5, "12.5"],
    ["999999999.9999", "999999999.9999"],
  ])("reads %j as %s", (input, text) => {
    expect(Decimal.parse(input)).toBe(text);
  });

  test.each(["", "-1", "1.", ".5", "1,5", "1.00001", "1000000000", "1e3", "x1", "1x", 1e21, Number.NaN])(
    "rejects %j",
    (input) => {
      expect(Decimal.safeParse(input).success).toBe(false);
    },
  );
});

test.each([
  [0, false],
  [1, true],
  [100, true],
  [101, false],
  [1.5, false],
])("Input: an alert at %d percent is accepted: %s", (alertThresholdPercent, accepted) => {
  expect(Input.safeParse({ type: "hours", amount: "1", alertThresholdPercent }).success).toBe(accepted);
});
