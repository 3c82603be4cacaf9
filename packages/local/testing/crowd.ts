import type { Receiver } from "../../core/testing/receiver.ts";
import { emit, endpoint, subscriber } from "../../core/testing/webhooks.ts";

/** Where the endpoint listens that hangs. */
export const hangingPath = "/0/0";
const workspaces = 3;
const endpointsEach = 17;
const events = 20;

export type Crowd = {
  /** Emit 20 events to each of the 51 at once; resolves as soon as each of the 50 has all of its own. */
  burst(): Promise<void>;
  /** The one that hangs answers, to what it has and to what comes. */
  letGo(): void;
};

/** 50 endpoints that answer at once, and one at `hangingPath` that does not answer at all until it is let go. */
export async function besideOneThatHangs(at: Receiver): Promise<Crowd> {
  const people = await Promise.all(Array.from({ length: workspaces }, () => subscriber()));
  for (const [number, person] of people.entries())
    for (let n = 0; n < endpointsEach; n++) await endpoint(person, `${at.url}/${number}/${n}`);
  const held: (() => void)[] = [];
  let holds = true;
  const arrived = Promise.withResolvers<void>();
  let left = (workspaces * endpointsEach - 1) * events;
  at.answer = ({ path }) => {
    if (path !== hangingPath && --left === 0) arrived.resolve();
    return path === hangingPath && holds ? (response) => void held.push(() => response.end()) : 204;
  };
  return {
    async burst() {
      for (let n = 0; n < events; n++) for (const person of people) await emit(person);
      await arrived.promise;
    },
    letGo() {
      holds = false;
      for (const answer of held) answer();
    },
  };
}
