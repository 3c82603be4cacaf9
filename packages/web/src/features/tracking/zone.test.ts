import { expect, test } from "vitest";
import { dayIn, instantOf, shifted, wallClock } from "./zone.ts";

test.each([
  ["2026-11-21T09:30", "Europe/Zurich", "2026-11-21T08:30:00.000Z"],
  ["2026-11-21T09:30:05", "Asia/Kolkata", "2026-11-21T04:00:05.000Z"],
  ["2026-11-21T00:00", "America/New_York", "2026-11-21T05:00:00.000Z"],
  // The hour that comes twice: the first of them, still in summer time.
  ["2026-10-25T02:30", "Europe/Zurich", "2026-10-25T00:30:00.000Z"],
  // The hour that is left out: as long after the change.
  ["2026-03-29T02:30", "Europe/Zurich", "2026-03-29T01:30:00.000Z"],
  ["2026-03-29T03:00", "Europe/Zurich", "2026-03-29T01:00:00.000Z"],
])("%s in %s is %s", (wall, zone, instant) => {
  expect(instantOf(wall, zone).toISOString()).toBe(instant);
});

test("a clock is read as it is written", () => {
  for (const at of ["2026-11-21T08:30:00Z", "2026-07-01T23:59:59Z", "1999-12-31T12:00:01Z"])
    for (const zone of ["UTC", "Europe/Zurich", "Pacific/Apia", "America/St_Johns"])
      expect(instantOf(wallClock(new Date(at), zone), zone)).toEqual(new Date(at));
});

test("nonsense is no time", () => {
  expect(Number.isNaN(instantOf("", "UTC").getTime())).toBe(true);
});

test("days are those of the zone, and can be counted on", () => {
  expect(dayIn("Pacific/Auckland", new Date("2026-12-31T12:00:00Z"))).toBe("2027-01-01");
  expect(shifted("2026-03-01", -1)).toBe("2026-02-28");
});
