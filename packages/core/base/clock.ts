let offsetMs = 0;

/** Returns the current time. All code reads this clock; only the local server and tests move it. */
export function now(): Date {
  return new Date(Date.now() + offsetMs);
}

/** Moves this process's clock forward, or back when negative. */
export function advance(seconds: number): void {
  offsetMs += seconds * 1000;
}

/**
 * Returns how many milliseconds this clock is ahead of the machine's. Clients that read the machine's clock, such as the S3
 * client, add it.
 */
export function offset(): number {
  return offsetMs;
}

/** Resets the clock to the machine's time. */
export function reset(): void {
  offsetMs = 0;
}
