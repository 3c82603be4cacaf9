import type { Timer } from "../timer.ts";

/** A timer that rings when the test says so, instead of after a while. */
export function manualTimer(): { timer: Timer; waits: () => number[]; ring: () => void } {
  let pending: { ms: number; ring: () => void }[] = [];
  return {
    timer: (ms, ring) => {
      const wait = { ms, ring };
      pending.push(wait);
      return () => {
        pending = pending.filter((other) => other !== wait);
      };
    },
    /** How long each of those who wait asked to wait, in milliseconds. */
    waits: () => pending.map(({ ms }) => ms),
    /** Everybody's time is up. */
    ring: () => {
      const due = pending;
      pending = [];
      for (const { ring } of due) ring();
    },
  };
}
