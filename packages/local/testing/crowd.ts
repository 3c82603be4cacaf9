import type { Receiver } from "../../core/testing/receiver.ts";
import { emit, endpoint, subscriber } from "../../core/testing/webhooks.ts";

/** Path of the hanging endpoint. */
export const hangingPath = "/0/0";
const workspaces = 3;
const endpointsEach = 17;
const events = 20;

export type Crowd = {
  /** Number of endpoints that respond. */
  responding: number;
  /** Emits 20 events to each endpoint. Resolves when all that respond have received their events. */
  burst(): Promise<void>;
  /** Makes the hanging endpoint respond to pending and future requests. */
  release(): void;
};

/**
 * Creates 51 endpoints in three workspaces. All respond at once except one at `hangingPath`, which does not respond until it
 * is released.
 */
export async function crowdWithHangingEndpoint(at: Receiver): Promise<Crowd> {
  const people = await Promise.all(Array.from({ length: workspaces }, () => subscriber()));
  for (const [number, person] of people.entries())
    for (let n = 0; n < endpointsEach; n++) await endpoint(person, `${at.url}/${number}/${n}`);
  const held: (() => void)[] = [];
  let hanging = true;
  const arrived = Promise.withResolvers<void>();
  const responding = workspaces * endpointsEach - 1;
  let left = responding * events;
  at.answer = ({ path }) => {
    if (path !== hangingPath && --left === 0) arrived.resolve();
    return path === hangingPath && hanging ? (response) => void held.push(() => response.end()) : 204;
  };
  return {
    responding,
    async burst() {
      for (let n = 0; n < events; n++) for (const person of people) await emit(person);
      await arrived.promise;
    },
    release() {
      hanging = false;
      for (const answer of held) answer();
    },
  };
}
