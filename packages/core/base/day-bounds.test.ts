import { expect, test } from "vitest";
import { dayIn, shifted } from "./day.ts";
import { Day, monthOf, span, startOfDay } from "./day-bounds.ts";

test.each([
  ["2026-11-21T23:59:59Z", "UTC", "2026-11-21"],
  ["2026-11-21T23:00:00Z", "Europe/Berlin", "2026-11-22"],
  ["2026-11-21T22:59:59Z", "Europe/Berlin", "2026-11-21"],
  ["2026-07-21T22:00:00Z", "Europe/Berlin", "2026-07-22"],
  ["2026-11-22T04:59:59Z", "America/New_York", "2026-11-21"],
  ["2026-11-22T05:00:00Z", "America/New_York", "2026-11-22"],
  ["2026-11-21T18:14:59Z", "Asia/Kathmandu", "2026-11-21"],
  ["2026-11-21T18:15:00Z", "Asia/Kathmandu", "2026-11-22"],
  ["2026-12-31T10:00:00Z", "Pacific/Kiritimati", "2027-01-01"],
  // The night of the spring change in Berlin has no hour from two to three, that of the autumn one has it twice.
  ["2026-03-28T23:00:00Z", "Europe/Berlin", "2026-03-29"],
  ["2026-03-29T21:59:59Z", "Europe/Berlin", "2026-03-29"],
  ["2026-03-29T22:00:00Z", "Europe/Berlin", "2026-03-30"],
  ["2026-10-24T22:00:00Z", "Europe/Berlin", "2026-10-25"],
  ["2026-10-25T22:59:59Z", "Europe/Berlin", "2026-10-25"],
  ["2026-10-25T23:00:00Z", "Europe/Berlin", "2026-10-26"],
])("%s in %s is on %s", (instant, timeZone, day) => {
  expect(dayIn(timeZone, new Date(instant))).toBe(day);
});

test.each([
  ["2026-11-21", "UTC", "2026-11-21T00:00:00.000Z"],
  ["2026-11-21", "Europe/Berlin", "2026-11-20T23:00:00.000Z"],
  ["2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00.000Z"],
  ["2026-03-30", "Europe/Berlin", "2026-03-29T22:00:00.000Z"],
  ["2026-10-25", "Europe/Berlin", "2026-10-24T22:00:00.000Z"],
  ["2026-10-26", "Europe/Berlin", "2026-10-25T23:00:00.000Z"],
  ["2026-11-01", "America/New_York", "2026-11-01T04:00:00.000Z"],
  ["2026-11-02", "America/New_York", "2026-11-02T05:00:00.000Z"],
  ["2026-11-21", "Pacific/Kiritimati", "2026-11-20T10:00:00.000Z"],
  ["2026-11-21", "Pacific/Pago_Pago", "2026-11-21T11:00:00.000Z"],
  // Cairo's clocks jump from midnight to one: the day begins at one.
  ["2026-04-24", "Africa/Cairo", "2026-04-23T22:00:00.000Z"],
])("%s in %s begins at %s", (day, timeZone, instant) => {
  expect(startOfDay(day, timeZone).toISOString()).toBe(instant);
});

test.each([
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Africa/Cairo",
])("every day of two years in %s begins one second after the day before ends", (timeZone) => {
  for (let day = "2026-01-01"; day < "2028-01-01"; day = shifted(day, 1)) {
    const start = startOfDay(day, timeZone);
    expect(dayIn(timeZone, start)).toBe(day);
    expect(dayIn(timeZone, new Date(start.getTime() - 1))).toBe(shifted(day, -1));
  }
});

test("a span has both its days in it, 23 and 25 hours long where the clocks change", () => {
  const hours = (day: string) => {
    const { since, before } = span({ from: day, to: day }, "Europe/Berlin");
    return (Number(before) - Number(since)) / 3_600_000;
  };
  expect(["2026-03-28", "2026-03-29", "2026-10-25"].map(hours)).toEqual([24, 23, 25]);
  expect(span({}, "UTC")).toEqual({ since: undefined, before: undefined });
});

test.each([
  ["2026-11-21", { name: "2026-11", first: "2026-11-01", next: "2026-12-01" }],
  ["2026-12-31", { name: "2026-12", first: "2026-12-01", next: "2027-01-01" }],
])("the month of %s", (day, month) => {
  expect(monthOf(day)).toEqual(month);
});

test.each(["2026-02-29", "2026-13-01", "26-01-01", "2026-1-1", "1969-12-31", "today", ""])(
  "%s is no day",
  (text) => {
    expect(Day.safeParse(text).success).toBe(false);
  },
);
