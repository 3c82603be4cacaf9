import { expect, test } from "vitest";
import { nextDue } from "./schedule-expression.ts";

const since = new Date("2026-01-01T00:00:00Z");

/** 2026-11-21 is a Saturday. */
test.each([
  ["cron(17 3 * * ? *)", "2026-11-21T03:16:59Z", "2026-11-21T03:17:00Z"],
  ["cron(17 3 * * ? *)", "2026-11-21T03:17:00Z", "2026-11-22T03:17:00Z"],
  ["cron(43 * * * ? *)", "2026-11-21T23:59:00Z", "2026-11-22T00:43:00Z"],
  ["cron(0/15 * * * ? *)", "2026-11-21T10:31:00Z", "2026-11-21T10:45:00Z"],
  ["cron(5/20 8,20 * * ? *)", "2026-11-21T08:46:00Z", "2026-11-21T20:05:00Z"],
  // Sunday is 1 in EventBridge and 0 in croner.
  ["cron(0 10 ? * 1 *)", "2026-11-21T12:00:00Z", "2026-11-22T10:00:00Z"],
  ["cron(0 18 ? * MON-FRI *)", "2026-11-21T12:00:00Z", "2026-11-23T18:00:00Z"],
  ["cron(0 18 ? * 2-6 *)", "2026-11-20T19:00:00Z", "2026-11-23T18:00:00Z"],
  ["cron(0 0 ? * 2/2 *)", "2026-11-21T12:00:00Z", "2026-11-23T00:00:00Z"],
  ["cron(0 9 ? * 5#2 *)", "2026-11-21T00:00:00Z", "2026-12-10T09:00:00Z"],
  ["cron(0 9 ? * 6L *)", "2026-11-21T00:00:00Z", "2026-11-27T09:00:00Z"],
  ["cron(0 9 ? * L *)", "2026-11-22T00:00:00Z", "2026-11-28T09:00:00Z"],
  ["cron(0 9 L * ? *)", "2026-11-21T00:00:00Z", "2026-11-30T09:00:00Z"],
  ["cron(0 9 1 JAN ? 2028)", "2026-11-21T00:00:00Z", "2028-01-01T09:00:00Z"],
  ["rate(5 minutes)", "2026-01-01T00:07:00Z", "2026-01-01T00:10:00Z"],
  ["rate(5 minutes)", "2026-01-01T00:10:00Z", "2026-01-01T00:15:00Z"],
  ["rate(1 hour)", "2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z"],
  ["rate(7 days)", "2025-12-01T00:00:00Z", "2026-01-08T00:00:00Z"],
])("nextDue of %s after %s is %s", (expression, after, due) => {
  expect(nextDue(expression, new Date(after), since)).toEqual(new Date(due));
});

test("nextDue returns undefined for a schedule in a past year", () => {
  expect(nextDue("cron(0 9 1 1 ? 2020)", since, since)).toBeUndefined();
});

test.each([
  "17 3 * * *",
  "cron(17 3 * * *)",
  "cron(17 3 * * * *)",
  "cron(17 3 ? * ? *)",
  "cron(61 3 * * ? *)",
  "cron(0 0 ? * 8 *)",
  "cron(0 0 ? * 0 *)",
  "rate(1 hours)",
  "rate(5 minute)",
  "rate(0 minutes)",
  "rate(5 weeks)",
  "at(2026-11-21T00:00:00)",
])("nextDue throws on %s", (expression) => {
  expect(() => nextDue(expression, since, since)).toThrow();
});
