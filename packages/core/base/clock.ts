let offsetMs = 0;

/** The time that everything in this system reads. Only the local server and tests ever move it. */
export function now(): Date {
  return new Date(Date.now() + offsetMs);
}

/** Move the clock forward (or back, when negative) for this process. */
export function advance(seconds: number): void {
  offsetMs += seconds * 1000;
}

/** Milliseconds between this clock and the machine's, for clients that keep a clock of their own (the S3 client). */
export function offset(): number {
  return offsetMs;
}

/** Back to the machine's time. */
export function reset(): void {
  offsetMs = 0;
}
