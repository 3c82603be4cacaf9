import { describe, expect, test } from "vitest";
import { elapsedSeconds, wholeSecond } from "./elapsed.ts";

const start = new Date("2026-03-02T09:00:00.000Z");
const after = (ms: number) => new Date(start.getTime() + ms);

describe("elapsedSeconds", () => {
  test.each([
    [0, 0],
    [1, 0],
    [999, 0],
    [1000, 1],
    [1999, 1],
    [-1, 0],
    [-5000, 0],
  ])("for %i milliseconds is %i", (ms, seconds) => expect(elapsedSeconds(start, after(ms))).toBe(seconds));
});

describe("wholeSecond", () => {
  test.each([
    [0, 0],
    [999, 0],
    [1000, 1000],
    [-1, -1000],
  ])("rounds %i milliseconds after a full second down to %i", (ms, whole) =>
    expect(wholeSecond(after(ms))).toEqual(after(whole)),
  );
});
