import { describe, expect, it } from "vitest";
import * as LockOut from "./lock-out.ts";

const at = (minutes: number) => new Date(minutes * 60_000);
const millisecond = 1 / 60_000;
const after = (times: number[], before?: LockOut.Attempts) =>
  times.reduce<LockOut.Attempts | undefined>((attempts, minutes) => {
    const outcome = LockOut.countAttempt(attempts, at(minutes));
    return "attempts" in outcome ? outcome.attempts : attempts;
  }, before);
const five = (minute: number) => Array.from({ length: 5 }, () => minute);

describe("countAttempt", () => {
  it("counts four attempts and locks for a minute at the fifth", () => {
    expect(after([0, 1, 2, 3])).toMatchObject({ failures: 4, lockedUntil: null });
    expect(after([0, 1, 2, 3, 4])).toMatchObject({ locks: 1, lockedUntil: at(5) });
  });

  it("starts a new window exactly 15 minutes after the first attempt", () => {
    expect(after([0, 1, 2, 3, 15])).toMatchObject({
      failures: 1,
      windowStartedAt: at(15),
      lockedUntil: null,
    });
  });

  it("still counts within the window one millisecond before its end", () => {
    expect(after([0, 1, 2, 3, 15 - millisecond])).toMatchObject({ failures: 5, locks: 1 });
  });

  it("changes nothing on an attempt while locked", () => {
    const locked = after(five(0));
    expect(LockOut.countAttempt(locked, at(0.5))).toEqual({ lockedUntil: at(1) });
    expect(LockOut.countAttempt(locked, at(1 - millisecond))).toEqual({ lockedUntil: at(1) });
  });

  it("counts again at the instant a lock ends", () => {
    const locked = after(five(0));
    expect(LockOut.countAttempt(locked, at(1))).toEqual({
      attempts: { failures: 1, windowStartedAt: at(1), locks: 1, lockedUntil: null },
    });
  });

  it("locks for 1, 5, 15 and then 60 minutes each", () => {
    const lengths: number[] = [];
    let attempts: LockOut.Attempts | undefined;
    let minute = 0;
    for (let round = 0; round < 5; round++) {
      attempts = after(five(minute), attempts);
      lengths.push(((attempts?.lockedUntil?.getTime() ?? 0) - at(minute).getTime()) / 60_000);
      minute += lengths.at(-1) ?? 0;
    }
    expect(lengths).toEqual([1, 5, 15, 60, 60]);
    expect(after(five(minute + 24 * 60), attempts)).toMatchObject({ locks: 1 });
  });

  it("resets the lock time exactly one day after the last counted attempt", () => {
    const locked = after(five(0));
    const day = 24 * 60;
    expect(after([day - millisecond], locked)).toMatchObject({ failures: 1, locks: 1 });
    expect(after([day], locked)).toMatchObject({ failures: 1, locks: 0 });
  });
});
