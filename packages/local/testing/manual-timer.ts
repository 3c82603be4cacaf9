import type { Timer } from "../timer.ts";

/** Creates a timer that rings when the test calls `ring` instead of after a delay. */
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
    /** Returns the delays of all pending waits in milliseconds. */
    waits: () => pending.map(({ ms }) => ms),
    /** Ends all pending waits. */
    ring: () => {
      const due = pending;
      pending = [];
      for (const { ring } of due) ring();
    },
  };
}
