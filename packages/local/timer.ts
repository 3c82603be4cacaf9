/** Calls `ring` once after `ms` milliseconds, unless the returned function is called before. */
export type Timer = (ms: number, ring: () => void) => () => void;

/** Maximum delay of setTimeout. A longer wait rings early, so the caller has to check the clock and wait again. */
const longestMs = 2 ** 31 - 1;

/** A timer in real time that does not keep the process alive. */
export const realTimer: Timer = (ms, ring) => {
  const timeout = setTimeout(ring, Math.min(Math.max(ms, 0), longestMs)).unref();
  return () => clearTimeout(timeout);
};
