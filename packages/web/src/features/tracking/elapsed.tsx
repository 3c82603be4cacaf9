import { useSyncExternalStore } from "react";
import { duration } from "../../base/format.ts";

/**
 * The time on a running timer, counting. It goes on from the seconds that the server counted, so that a wrong clock of this
 * computer does no harm.
 */
export function Elapsed({ seconds, asOf }: { seconds: number /** Unix ms of the answer. */; asOf: number }) {
  const elapsed = useElapsed(seconds, asOf);
  return (
    <span role="timer" className="elapsed">
      {duration(elapsed)}
    </span>
  );
}

/** Whole seconds by now of a timer that stood at `seconds` at `asOf` (Unix ms), every second. */
export function useElapsed(seconds: number, asOf: number): number {
  const now = useSyncExternalStore(everySecond, () => second);
  return seconds + Math.max(0, Math.floor((now - asOf) / 1000));
}

// One clock for all of a page, so that its timers move together.
let second = Date.now();
let ticking: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function everySecond(listener: () => void): () => void {
  listeners.add(listener);
  if (!ticking) tick();
  ticking ??= setInterval(tick, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}

function tick(): void {
  second = Date.now();
  for (const listener of listeners) listener();
}
