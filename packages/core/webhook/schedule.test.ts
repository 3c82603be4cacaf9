import { expect, test } from "vitest";
import { delaySeconds, retryAfterSeconds } from "./schedule.ts";

const [early, middle, late] = [() => 0, () => 0.5, () => 1];

test.each([
  [1, 24, 30, 36],
  [2, 192, 240, 288],
  [3, 1536, 1920, 2304],
])("delaySeconds after failure %i is between %i and %3$i seconds", (failures, least, usual, most) => {
  expect(delaySeconds(failures, 0, early)).toBeCloseTo(least);
  expect(delaySeconds(failures, 0, middle)).toBeCloseTo(usual);
  expect(delaySeconds(failures, 0, late)).toBeCloseTo(most);
});

test("delaySeconds returns undefined after the fourth failure", () => {
  expect(delaySeconds(4, 0, middle)).toBeUndefined();
  expect(delaySeconds(4, 600, middle)).toBeUndefined();
});

test.each([
  [1, 10, 30],
  [1, 90, 90],
  [3, 1000, 1920],
  [1, 3600, 3600],
  [1, 86_400, 3600],
])("delaySeconds after failure %i with Retry-After %i is %i seconds", (failures, asked, seconds) => {
  expect(delaySeconds(failures, asked, middle)).toBeCloseTo(seconds);
});

const now = new Date("2026-01-31T12:00:00Z");
test.each([
  [undefined, undefined],
  ["120", 120],
  ["0", 0],
  ["Sat, 31 Jan 2026 12:10:00 GMT", 600],
  ["Sat, 31 Jan 2026 11:00:00 GMT", 0],
  ["-5", undefined],
  ["1.5", undefined],
  ["soon", undefined],
  ["2026-01-31T12:10:00Z", undefined],
  ["Sat, nonsense GMT", undefined],
])("retryAfterSeconds parses %j as %j", (header, seconds) => {
  expect(retryAfterSeconds(header, now)).toBe(seconds);
});
