import { describe, expect, it } from "vitest";
import { semaphore } from "./semaphore.ts";

/** Timers that fire only when the test calls `fire`. */
function manualTimers() {
  let pending: (() => void)[] = [];
  const timer = (_ms: number, ring: () => void) => {
    pending.push(ring);
    return () => {
      pending = pending.filter((other) => other !== ring);
    };
  };
  return {
    timer,
    fire: () => pending.splice(0).forEach((ring) => void ring()),
    count: () => pending.length,
  };
}

describe("semaphore", () => {
  it("limits permits per key and passes a released permit to the longest waiter", async () => {
    const { timer, count } = manualTimers();
    const permits = semaphore(2, 1000, timer);
    const [first, second] = [await permits.acquire("a"), await permits.acquire("a")];
    expect(await permits.acquire("b")).toBeDefined();
    const order: string[] = [];
    const acquireAs = async (name: string) => {
      const release = await permits.acquire("a");
      order.push(name);
      return release;
    };
    const [third, fourth] = [acquireAs("third"), acquireAs("fourth")];
    expect(count()).toBe(2);
    first?.();
    (await third)?.();
    await fourth;
    second?.();
    expect([order, count()]).toEqual([["third", "fourth"], 0]);
  });

  it("gives a waiter no permit after the maximum wait and leaves the count intact", async () => {
    const { timer, fire } = manualTimers();
    const permits = semaphore(1, 1000, timer);
    const release = await permits.acquire("a");
    const late = permits.acquire("a");
    fire();
    expect(await late).toBeUndefined();
    release?.();
    const next = await permits.acquire("a");
    expect(next).toBeDefined();
    const after = permits.acquire("a");
    next?.();
    expect(await after).toBeDefined();
  });

  it("lists a key as held until its last permit is released", async () => {
    const permits = semaphore(2, 1000, manualTimers().timer);
    const [first, second] = [await permits.acquire("a"), await permits.acquire("a")];
    first?.();
    expect(permits.heldKeys()).toEqual(["a"]);
    second?.();
    expect(permits.heldKeys()).toEqual([]);
  });
});
