import { expect, test } from "vitest";
import { entriesOf } from "./drill-down.ts";

const filters = { from: "2026-11-02", to: "2026-11-20", tag: "design", user_id: "" };

test("entriesOf adds the group and its parents to the filters of the report", () => {
  const steps = [
    { dimension: "project", key: "prj_1" },
    { dimension: "user", key: "usr_1" },
  ] as const;
  expect(entriesOf(filters, steps)).toBe(
    "/time-entries?from=2026-11-02&to=2026-11-20&tag=design&user_id=usr_1&project_id=prj_1",
  );
});

test.each([
  ["day", "2026-11-03", "from=2026-11-03&to=2026-11-03"],
  ["week", "2026-11-09", "from=2026-11-09&to=2026-11-15"],
  ["month", "2026-11", "from=2026-11-02&to=2026-11-20"],
  ["year", "2026", "from=2026-11-02&to=2026-11-20"],
] as const)("entriesOf keeps a %s within the period of the report", (dimension, key, days) => {
  expect(entriesOf(filters, [{ dimension, key }])).toBe(`/time-entries?${days}&tag=design`);
});

test("entriesOf keeps the time zone of the days", () => {
  expect(entriesOf({ ...filters, timezone: "America/New_York" }, [])).toBe(
    "/time-entries?from=2026-11-02&to=2026-11-20&tag=design&timezone=America%2FNew_York",
  );
});

test.each([
  ["client", "Aurora Foods"],
  ["team", "tea_1"],
  ["project", null],
] as const)("entriesOf returns undefined for %s %s, which the page cannot filter", (dimension, key) => {
  expect(entriesOf(filters, [{ dimension, key }])).toBeUndefined();
});
