import { describe, expect, test } from "vitest";
import { daysBetween, Timezone } from "./day.ts";

test.each([
  ["2026-11-21", "2026-11-21", 0],
  ["2026-11-21", "2026-11-22", 1],
  ["2026-11-22", "2026-11-21", -1],
  ["2028-02-28", "2028-03-01", 2],
  ["2025-12-31", "2026-12-31", 365],
])("daysBetween: from %s to %s there are %i days", (first, second, days) => {
  expect(daysBetween(first, second)).toBe(days);
});

describe("Timezone", () => {
  test.each(["UTC", "Europe/Berlin", "America/Argentina/ComodRivadavia"])("accepts %s", (name) => {
    expect(Timezone.safeParse(name).success).toBe(true);
  });

  test.each(["", "Europe/Atlantis", "Berlin time", "x".repeat(65)])("rejects %j", (name) => {
    expect(Timezone.safeParse(name).success).toBe(false);
  });
});
