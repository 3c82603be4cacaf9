import { describe, expect, it } from "vitest";
import { long, sample } from "./sample.ts";

const cases = Array.from({ length: 100 }, (_, index) => index);

describe.runIf(!long)("sample", () => {
  it("returns the requested number of cases, in order and without repetition", () => {
    const chosen = sample(cases, 10);
    expect(chosen).toHaveLength(10);
    expect([...new Set(chosen)].sort((one, other) => one - other)).toEqual(chosen);
  });

  it("returns the same cases for the same seed", () => {
    expect(sample(cases, 10)).toEqual(sample(cases, 10));
  });

  it("returns all cases when there are fewer than requested", () => {
    expect(sample(cases.slice(0, 3), 10)).toEqual([0, 1, 2]);
  });
});
