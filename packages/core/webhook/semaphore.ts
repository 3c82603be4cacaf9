import * as Call from "./call.ts";

/** Returns a permit to its semaphore. Call it exactly once. */
export type Release = () => void;

export type Semaphore = {
  /** Acquires a permit for `key`. Resolves to undefined if none becomes free within the maximum wait. */
  acquire(key: string): Promise<Release | undefined>;
  /** Lists the keys that have at least one permit in use. */
  heldKeys(): string[];
};

type KeyState = { inUse: number; waiting: Set<() => void> };

/** Creates an in-process semaphore with `size` permits per key. Waiters are served first in, first out. */
export function semaphore(
  size: number,
  maxWaitMs: number,
  timer: Call.Network["timer"] = Call.internet.timer,
): Semaphore {
  const states = new Map<string, KeyState>();

  function releaseOf(key: string, state: KeyState): Release {
    return () => {
      const [next] = state.waiting;
      // The next waiter inherits the permit, so the count stays.
      if (next) return next();
      state.inUse--;
      if (state.inUse === 0) states.delete(key);
    };
  }

  return {
    async acquire(key) {
      const state = states.get(key) ?? { inUse: 0, waiting: new Set() };
      states.set(key, state);
      if (state.inUse < size) {
        state.inUse++;
        return releaseOf(key, state);
      }
      const { promise, resolve } = Promise.withResolvers<Release | undefined>();
      const cancelTimer = timer(maxWaitMs, () => {
        state.waiting.delete(inherit);
        resolve(undefined);
      });
      const inherit = () => {
        state.waiting.delete(inherit);
        cancelTimer();
        resolve(releaseOf(key, state));
      };
      state.waiting.add(inherit);
      return promise;
    },
    heldKeys: () => [...states.keys()],
  };
}
