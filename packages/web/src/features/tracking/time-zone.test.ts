import { describe, expect, it } from "vitest";
import { addDays, dayIn, instantOf, localTime, sameClock } from "./time-zone.ts";

describe("instantOf", () => {
  it.each([
    ["2026-11-21T09:30", "Europe/Zurich", "2026-11-21T08:30:00.000Z"],
    ["2026-11-21T09:30:05", "Asia/Kolkata", "2026-11-21T04:00:05.000Z"],
    ["2026-11-21T00:00", "America/New_York", "2026-11-21T05:00:00.000Z"],
    // An ambiguous time: its first occurrence is still in summer time.
    ["2026-10-25T02:30", "Europe/Zurich", "2026-10-25T00:30:00.000Z"],
    // A skipped time: read with the offset from before the change.
    ["2026-03-29T02:30", "Europe/Zurich", "2026-03-29T01:30:00.000Z"],
    ["2026-03-29T03:00", "Europe/Zurich", "2026-03-29T01:00:00.000Z"],
    // A year that is still being typed.
    ["0002-11-22T10:00", "UTC", "0002-11-22T10:00:00.000Z"],
  ])("reads %s in %s as %s", (local, zone, instant) => {
    expect(instantOf(local, zone).toISOString()).toBe(instant);
  });

  it("reverses localTime in every time zone", () => {
    for (const at of ["2026-11-21T08:30:00Z", "2026-07-01T23:59:59Z", "1999-12-31T12:00:01Z"])
      for (const zone of ["UTC", "Europe/Zurich", "Pacific/Apia", "America/St_Johns"])
        expect(instantOf(localTime(new Date(at), zone), zone)).toEqual(new Date(at));
  });

  it("returns an invalid Date for an empty input", () => {
    expect(Number.isNaN(instantOf("", "UTC").getTime())).toBe(true);
  });
});

describe("sameClock", () => {
  it.each([
    ["Europe/Zurich", "Europe/Zurich", true],
    ["Europe/Zurich", "Europe/Berlin", true],
    ["UTC", "Africa/Abidjan", true],
    // The same time in winter.
    ["UTC", "Europe/London", false],
    // The clocks change a few days apart.
    ["Europe/Athens", "Asia/Jerusalem", false],
    ["UTC", "America/Los_Angeles", false],
  ])("of %s and %s is %s", (a, b, same) => {
    expect(sameClock(a, b)).toBe(same);
  });
});

it("dayIn returns the date in the time zone", () => {
  expect(dayIn("Pacific/Auckland", new Date("2026-12-31T12:00:00Z"))).toBe("2027-01-01");
});

it("addDays subtracts days across the end of a month", () => {
  expect(addDays("2026-03-01", -1)).toBe("2026-02-28");
});
