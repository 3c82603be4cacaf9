import { expect, test } from "vitest";
import { slots } from "./semaphore.ts";

function manual() {
  let rings: (() => void)[] = [];
  const timer = (_ms: number, ring: () => void) => {
    rings.push(ring);
    return () => {
      rings = rings.filter((other) => other !== ring);
    };
  };
  return { timer, ring: () => rings.splice(0).forEach((ring) => void ring()), waiting: () => rings.length };
}

test("so many at once for each key, and a place that comes free goes to who waits longest", async () => {
  const { timer, waiting } = manual();
  const places = slots(2, 1000, timer);
  const [first, second] = [await places.take("a"), await places.take("a")];
  expect(await places.take("b")).toBeDefined();
  const order: string[] = [];
  const named = async (name: string) => {
    const leave = await places.take("a");
    order.push(name);
    return leave;
  };
  const [third, fourth] = [named("third"), named("fourth")];
  expect(waiting()).toBe(2);
  first?.();
  (await third)?.();
  await fourth;
  second?.();
  expect([order, waiting()]).toEqual([["third", "fourth"], 0]);
});

test("who waits longer than the patience goes without, and takes nobody's place", async () => {
  const { timer, ring } = manual();
  const places = slots(1, 1000, timer);
  const leave = await places.take("a");
  const late = places.take("a");
  ring();
  expect(await late).toBeUndefined();
  leave?.();
  const next = await places.take("a");
  expect(next).toBeDefined();
  const after = places.take("a");
  next?.();
  expect(await after).toBeDefined();
});
