import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { whenStalled } from "./stalled.ts";

describe("whenStalled", () => {
  let resources: number;
  let stop: ReturnType<typeof vi.fn<(sentence: string) => void>>;
  let end: () => void;
  beforeEach(() => {
    vi.useFakeTimers();
    resources = 0;
    stop = vi.fn();
    end = whenStalled(() => resources, stop);
  });
  afterEach(() => {
    end();
    vi.useRealTimers();
  });

  it("stops a program that registers nothing for two minutes, and says so", () => {
    vi.advanceTimersByTime(60_000);
    resources = 7;
    vi.advanceTimersByTime(120_000);
    expect(stop).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    expect(stop).toHaveBeenCalledExactlyOnceWith(
      "It registered 7 resources, and none in the last 120 seconds. An output may never resolve.",
    );
  });

  it("does not stop a program that registers resources slowly for hours", () => {
    for (let hour = 0; hour < 180; hour++, resources++) vi.advanceTimersByTime(119_000);
    expect(stop).not.toHaveBeenCalled();
  });

  it("does not count time in which the event loop is blocked", () => {
    for (let tick = 0; tick < 100; tick++) {
      vi.setSystemTime(Date.now() + 60_000);
      vi.advanceTimersToNextTimer();
    }
    expect(stop).not.toHaveBeenCalled();
  });
});
