import { expect, test } from "vitest";
import { mostParts, paletteColor, partsOf, valuesOf } from "./series.ts";

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
    group("b", "Beta", 10),
    group("c", "Gamma", 9),
    group("d", "Delta", 2),
  ];
  const parts = partsOf([...groups, group("a", "Alpha", 1)], colorOf, "Other", 2);
  expect(parts.series.map(({ name }) => name)).toEqual(["Beta", "Gamma", "Other"]);
  expect(valuesOf(groups, parts, ({ durationSeconds }) => durationSeconds)).toEqual([10, 9, 3]);
});

test("partsOf keeps more groups of similar size, until at most a quarter is left for the others", () => {
  const people = Array.from({ length: 24 }, (_, at) => group(`u${at}`, `Person ${at}`, 100));
  const { series } = partsOf(people, colorOf, "Other", 6);
  expect(series.length).toBe(18 + 1);
  expect(series.at(-1)?.name).toBe("Other");
});

test("partsOf keeps at most twenty groups", () => {
  const people = Array.from({ length: 200 }, (_, at) => group(`u${at}`, `Person ${at}`, 100));
  expect(partsOf(people, colorOf, "Other", 6).series.length).toBe(mostParts + 1);
});

test("paletteColor has a different color for each part of a chart", () => {
  expect(new Set(Array.from({ length: mostParts }, (_, at) => paletteColor(at))).size).toBe(mostParts);
});
