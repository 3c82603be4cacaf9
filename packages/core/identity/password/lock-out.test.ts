import { describe, expect, it } from "vitest";
import * as LockOut from "./lock-out.ts";

const at = (minutes: number) => new Date(minutes * 60_000);
const millisecond = 1 / 60_000;
const begun = (before: LockOut.Attempts | undefined, minutes: number) => {
  const outcome = LockOut.start(before, at(minutes));
  return typeof outcome === "object" && "attempts" in outcome ? outcome.attempts : undefined;
};
/** Attempts after failures at these times, one after another. A locked subject stays as it is. */
const after = (times: number[], before?: LockOut.Attempts) =>
  times.reduce<LockOut.Attempts | undefined>((attempts, minutes) => {
    const running = begun(attempts, minutes);
    return running ? LockOut.end(running, true, at(minutes)) : attempts;
  }, before);
/** Attempts after this many have started at minute 0 without an outcome. */
const running = (count: number, before?: LockOut.Attempts) =>
  Array.from({ length: count }).reduce<LockOut.Attempts | undefined>(
    (attempts) => begun(attempts, 0),
    before,
  );
const five = (minute: number) => Array.from({ length: 5 }, () => minute);

describe("failures one after another", () => {
  it("count up to four and lock for a minute at the fifth", () => {
    expect(after([0, 1, 2, 3])).toMatchObject({ failures: 4, lockedUntil: null });
    expect(after([0, 1, 2, 3, 4])).toMatchObject({ locks: 1, lockedUntil: at(5) });
  });

  it("start a new window exactly 15 minutes after the first one", () => {
    expect(after([0, 1, 2, 3, 15])).toMatchObject({
      failures: 1,
      windowStartedAt: at(15),
      lockedUntil: null,
    });
  });

  it("still count within the window one millisecond before its end", () => {
    expect(after([0, 1, 2, 3, 15 - millisecond])).toMatchObject({ failures: 5, locks: 1 });
  });

  it("cannot start while the subject is locked", () => {
    const locked = after(five(0));
    expect(LockOut.start(locked, at(0.5))).toEqual({ lockedUntil: at(1) });
    expect(LockOut.start(locked, at(1 - millisecond))).toEqual({ lockedUntil: at(1) });
  });

  it("count again at the instant a lock ends", () => {
    expect(after([1], after(five(0)))).toEqual({
      failures: 1,
      running: 0,
      runningUntil: null,
      windowStartedAt: at(1),
      locks: 1,
      lockedUntil: null,
    });
  });

  it("lock for 1, 5, 15 and then 60 minutes each", () => {
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

  it("lock for a minute again exactly one day after the last lock", () => {
    const locked = after(five(0));
    const day = 24 * 60;
    expect(after([day - millisecond], locked)).toMatchObject({ failures: 1, locks: 1 });
    expect(after([day], locked)).toMatchObject({ failures: 1, locks: 0 });
  });
});

describe("attempts at once", () => {
  const deadline = LockOut.runningSeconds / 60;

  it("wait beyond five that run, and beyond failures and running ones together", () => {
    expect(LockOut.start(running(5), at(0))).toBe("wait");
    expect(LockOut.start(running(3, after([0, 0])), at(0))).toBe("wait");
  });

  it("start again after a running one was correct, and are locked out after all have failed", () => {
    const four = LockOut.end(running(5), false, at(0));
    expect(begun(four, 0)).toMatchObject({ failures: 0, running: 5 });
    const failed = five(0).reduce<LockOut.Attempts | undefined>(
      (attempts) => LockOut.end(attempts, true, at(0)),
      running(5),
    );
    expect(LockOut.start(failed, at(0))).toEqual({ lockedUntil: at(1) });
  });

  it("count as failures exactly when their time has passed without an outcome", () => {
    expect(LockOut.start(running(5), at(deadline - millisecond))).toBe("wait");
    expect(LockOut.start(running(5), at(deadline))).toEqual({ lockedUntil: at(deadline + 1) });
    expect(begun(running(4), deadline)).toMatchObject({ failures: 4, running: 1 });
  });

  it("count as failures when their time has passed although another one ended", () => {
    const left = LockOut.end(running(5), false, at(0));
    expect(begun(left, deadline - millisecond)).toMatchObject({ failures: 0, running: 5 });
    expect(begun(left, deadline)).toMatchObject({ failures: 4, running: 1 });
  });

  it("do not extend a lock when their outcome comes too late", () => {
    const late = LockOut.end(running(5), true, at(deadline));
    expect(late).toMatchObject({ locks: 1, lockedUntil: at(deadline + 1) });
  });
});

it("counts an email and each of its devices apart", () => {
  const subjects = [
    LockOut.subject("ada@example.com"),
    LockOut.subject("ada@example.com", "dev_1"),
    LockOut.subject("ada@example.com", "dev_2"),
    LockOut.subject("bob@example.com"),
    LockOut.subject("bob@example.com", "dev_1"),
  ];
  expect(new Set(subjects).size).toBe(subjects.length);
  for (const subject of subjects) expect(subject).toMatch(/^[\w-]{43}$/);
});
