/** How long the program may register no resource. */
const quietSeconds = 120;

/**
 * Calls `stop` with a sentence when `progress` has returned the same number for two minutes, which an output that never
 * resolves would cause. Only seconds in which the event loop runs count, so a busy machine or a synchronous build does not
 * stop the program. Returns how to end the watch.
 */
export function whenStalled(progress: () => number, stop: (sentence: string) => void): () => void {
  let seen = progress();
  let quiet = 0;
  const timer = setInterval(() => {
    const now = progress();
    quiet = now > seen ? 0 : quiet + 1;
    seen = now;
    if (quiet < quietSeconds) return;
    clearInterval(timer);
    stop(
      `It registered ${now} resources, and none in the last ${quietSeconds} seconds. An output may never resolve.`,
    );
  }, 1000);
  return () => clearInterval(timer);
}
