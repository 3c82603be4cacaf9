import * as Call from "./call.ts";

/** A place at one endpoint; leave it when done. */
export type Leave = () => void;

export type Slots = {
  /** A place for one more at this endpoint, waiting a while for one; undefined when none came free in that time. */
  take(key: string): Promise<Leave | undefined>;
};

/**
 * So many at once for each key, in this process. Whoever finds no place within the patience goes away instead of holding up
 * what else could be done meanwhile.
 */
export function slots(
  size: number,
  patienceMs: number,
  timer: Call.Network["timer"] = Call.internet.timer,
): Slots {
  const taken = new Map<string, { count: number; waiting: Set<() => void> }>();

  function leave(key: string): Leave {
    return () => {
      const at = taken.get(key);
      if (!at) return;
      const [next] = at.waiting;
      if (next) return next();
      at.count--;
      if (at.count === 0) taken.delete(key);
    };
  }

  return {
    async take(key) {
      const at = taken.get(key) ?? { count: 0, waiting: new Set() };
      taken.set(key, at);
      if (at.count < size) {
        at.count++;
        return leave(key);
      }
      const { promise, resolve } = Promise.withResolvers<Leave | undefined>();
      const cancel = timer(patienceMs, () => {
        at.waiting.delete(granted);
        resolve(undefined);
      });
      // The place is handed over, so the count stays.
      const granted = () => {
        at.waiting.delete(granted);
        cancel();
        resolve(leave(key));
      };
      at.waiting.add(granted);
      return promise;
    },
  };
}
