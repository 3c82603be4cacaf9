import { useSyncExternalStore } from "react";
import { duration } from "../../base/format.ts";

/** Shows the time of a running timer, updated every second. */
export function Elapsed({ seconds, asOf }: { seconds: number; asOf: number }) {
  const elapsed = useElapsed(seconds, asOf);
  return (
    <span role="timer" className="elapsed">
      {duration(elapsed)}
    </span>
  );
}

/**
 * Returns the whole seconds of a timer that was at `seconds` when the response arrived at `asOf` (Unix ms). Updates every
 * second. Counting starts from the server's seconds, so that a wrong clock on this device does not matter.
 */
export function useElapsed(seconds: number, asOf: number): number {
  const now = useSyncExternalStore(everySecond, () => second);
  return seconds + Math.max(0, Math.floor((now - asOf) / 1000));
}

// All timers of a page share one clock, so that they change at the same time.
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
