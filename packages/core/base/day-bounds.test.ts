import { expect, test } from "vitest";
import { addDays, dayIn } from "./day.ts";
import { Day, dayRange, monthOf, startOfDay, startsOfDays } from "./day-bounds.ts";

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
  ["0999-12-31T12:00:00Z", "UTC", "0999-12-31"],
  // In Berlin the hour from two to three is skipped in spring and repeated in autumn.
  ["2026-03-28T23:00:00Z", "Europe/Berlin", "2026-03-29"],
  ["2026-03-29T21:59:59Z", "Europe/Berlin", "2026-03-29"],
  ["2026-03-29T22:00:00Z", "Europe/Berlin", "2026-03-30"],
  ["2026-10-24T22:00:00Z", "Europe/Berlin", "2026-10-25"],
  ["2026-10-25T22:59:59Z", "Europe/Berlin", "2026-10-25"],
  ["2026-10-25T23:00:00Z", "Europe/Berlin", "2026-10-26"],
])("dayIn: the local day at %s in %s is %s", (instant, timeZone, day) => {
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
  // Cairo's clocks skip from midnight to one, so the day begins at one.
  ["2026-04-24", "Africa/Cairo", "2026-04-23T22:00:00.000Z"],
  // Midnight came twice: clocks went back by an hour at one minute past midnight, and by three hours at two.
  ["2010-11-07", "America/St_Johns", "2010-11-07T02:30:00.000Z"],
  ["2006-10-29", "America/Moncton", "2006-10-29T03:00:00.000Z"],
  ["2010-03-05", "Antarctica/Casey", "2010-03-04T13:00:00.000Z"],
  // Clocks went back from midnight to eleven, so midnight came once.
  ["2018-02-18", "America/Sao_Paulo", "2018-02-18T03:00:00.000Z"],
])("startOfDay: %s in %s starts at %s", (day, timeZone, instant) => {
  expect(startOfDay(day, timeZone).toISOString()).toBe(instant);
});

test.each([
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Africa/Cairo",
])("startOfDay in %s returns the first instant of each day of two years", (timeZone) => {
  for (let day = "2026-01-01"; day < "2028-01-01"; day = addDays(day, 1)) {
    const start = startOfDay(day, timeZone);
    expect(dayIn(timeZone, start)).toBe(day);
    expect(dayIn(timeZone, new Date(start.getTime() - 1))).toBe(addDays(day, -1));
  }
});

test.each([
  ["2026-11-01", 0, "UTC"],
  ["2026-11-01", 1, "Europe/Berlin"],
  // Clocks change in the night to 29 March and in the night to 25 October.
  ["2026-03-27", 5, "Europe/Berlin"],
  ["2026-10-23", 5, "Europe/Berlin"],
  // The first and the last hour of the day are the ones that are skipped and repeated.
  ["2026-04-22", 5, "Africa/Cairo"],
  ["2026-10-28", 5, "Africa/Cairo"],
  // Midnight came twice.
  ["2010-11-05", 5, "America/St_Johns"],
  ["2010-11-07", 2, "America/St_Johns"],
  ["2010-03-04", 3, "Antarctica/Casey"],
  // Samoa skipped 30 December.
  ["2011-12-27", 3, "Pacific/Apia"],
])("startsOfDays returns from %s on the starts of %i days in %s", (first, count, timeZone) => {
  const days = Array.from({ length: count }, (_, at) => addDays(first, at));
  expect(startsOfDays(first, count, timeZone)).toEqual(days.map((day) => startOfDay(day, timeZone)));
});

test("dayRange includes both days and follows clock changes", () => {
  const hours = (day: string) => {
    const { since, before } = dayRange({ from: day, to: day }, "Europe/Berlin");
    return (Number(before) - Number(since)) / 3_600_000;
  };
  expect(["2026-03-28", "2026-03-29", "2026-10-25"].map(hours)).toEqual([24, 23, 25]);
  expect(dayRange({}, "UTC")).toEqual({ since: undefined, before: undefined });
});

test.each([
  ["2026-11-21", { name: "2026-11", first: "2026-11-01", next: "2026-12-01" }],
  ["2026-12-31", { name: "2026-12", first: "2026-12-01", next: "2027-01-01" }],
])("monthOf returns the month of %s and the start of the next month", (day, month) => {
  expect(monthOf(day)).toEqual(month);
});

test.each(["1970-01-01", "1999-12-31", "2000-01-01", "2099-12-31"])("Day accepts %s", (text) => {
  expect(Day.safeParse(text).success).toBe(true);
});

test.each([
  "2026-02-29",
  "2026-13-01",
  "26-01-01",
  "2026-1-1",
  "0200-01-01",
  "1969-12-31",
  "2100-01-01",
  "today",
  "",
])("Day rejects %j", (text) => {
  expect(Day.safeParse(text).success).toBe(false);
});
