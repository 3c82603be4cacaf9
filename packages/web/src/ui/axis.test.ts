import { expect, test } from "vitest";
import { axisOf } from "./axis.ts";

test.each([
  [7.8, [0, 2, 4, 6]],
  [22.9, [0, 10, 20]],
  [8, [0, 2, 4, 6, 8]],
  [0.7, [0, 0.2, 0.4, 0.6]],
  [1234, [0, 500, 1000]],
])("axisOf labels an axis up to %d at %o", (highest, ticks) => {
  const axis = axisOf(highest);
  expect(axis.ticks.map((tick) => Number(tick.toFixed(6)))).toEqual(ticks);
  expect(axis.top).toBeGreaterThan(highest);
});

test("axisOf labels only zero where there is nothing", () => {
  expect(axisOf(0)).toEqual({ ticks: [0], top: 1 });
});
