import { expect, test } from "vitest";
import { partsOf, valuesOf } from "./series.ts";

const group = (key: string | null, label: string, durationSeconds: number) => ({
  key,
  label,
  durationSeconds,
});
const colorOf = (key: string | null) => `color of ${key}`;

test("partsOf orders groups by name, with those without a group last", () => {
  const groups = [group(null, "No project", 9), group("b", "Beta", 1), group("a", "Alpha", 2)];
  expect(partsOf(groups, colorOf, "Other").series.map(({ name }) => name)).toEqual([
    "Alpha",
    "Beta",
    "No project",
  ]);
});

test("partsOf keeps the largest groups and adds up the others", () => {
  const groups = [
    group("a", "Alpha", 1),
    group("b", "Beta", 5),
    group("c", "Gamma", 4),
    group("d", "Delta", 2),
  ];
  const parts = partsOf([...groups, group("a", "Alpha", 1)], colorOf, "Other", 2);
  expect(parts.series.map(({ name }) => name)).toEqual(["Beta", "Gamma", "Other"]);
  expect(valuesOf(groups, parts, ({ durationSeconds }) => durationSeconds)).toEqual([5, 4, 3]);
});
