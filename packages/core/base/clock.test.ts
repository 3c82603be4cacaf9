import { afterEach, expect, test, vi } from "vitest";
import * as Clock from "./clock.ts";

afterEach(() => {
  Clock.reset();
  vi.useRealTimers();
});

test("the clock moves by seconds, in both directions, until it is reset", () => {
  vi.useFakeTimers({ now: new Date("2026-11-21T12:00:00.000Z") });
  const read = () => [Clock.now().toISOString(), Clock.offset()];
  Clock.advance(90);
  expect(read()).toEqual(["2026-11-21T12:01:30.000Z", 90_000]);
  Clock.advance(-100);
  expect(read()).toEqual(["2026-11-21T11:59:50.000Z", -10_000]);
  Clock.reset();
  expect(read()).toEqual(["2026-11-21T12:00:00.000Z", 0]);
});
