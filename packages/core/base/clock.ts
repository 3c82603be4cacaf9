let offsetMs = 0;

/** Returns the current time. All code reads this clock; only the local server and tests move it. */
export function now(): Date {
  return new Date(Date.now() + offsetMs);
}

/** Moves this process's clock forward, or back when negative. */
export function advance(seconds: number): void {
  offsetMs += seconds * 1000;
}

/** Returns the milliseconds between this clock and the machine's, for clients with a clock of their own, such as S3's. */
export function offset(): number {
  return offsetMs;
}

/** Resets the clock to the machine's time. */
export function reset(): void {
  offsetMs = 0;
}
