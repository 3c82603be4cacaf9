/** Rings once, after this many milliseconds, unless the function it returns is called before. */
export type Timer = (ms: number, ring: () => void) => () => void;

/** What setTimeout can count to. A longer wait rings then, and whoever waits looks at the clock and waits again. */
const longestMs = 2 ** 31 - 1;

/** Real time. A wait alone does not keep the process alive. */
export const realTimer: Timer = (ms, ring) => {
  const timeout = setTimeout(ring, Math.min(Math.max(ms, 0), longestMs)).unref();
  return () => clearTimeout(timeout);
};
