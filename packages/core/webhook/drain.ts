import { log } from "../platform/log/log.ts";
import * as Call from "./call.ts";
import {
  type AttemptOptions,
  attempt,
  type Claim,
  claim,
  type PreparedAttempt,
  perEndpoint,
} from "./deliver.ts";

/** How long one call claims deliveries, in milliseconds. The last attempts take up to 15 seconds longer. */
export const claimMs = 10_000;

/** How often a drain with a free place looks for deliveries that only another process knows of, in milliseconds. */
export const lookMs = 1000;

/** The endpoints that a process is delivering to, each with a function that makes it look for due deliveries again. */
export type Drains = Map<string, () => void>;

const drainsOfThisProcess: Drains = new Map();

/** Replaceable parts, for tests: separate `drains` stand for a separate process. */
export type DrainOptions = AttemptOptions & { drains?: Drains };

/**
 * The reason why a drain ended. `none`: nothing was due any more. `crowded`: other processes have all places of the endpoint.
 * `time`: the time was over. `elsewhere`: this process was already delivering to the endpoint, and has been told to look again.
 */
export type Left = "none" | "crowded" | "time" | "elsewhere";

/** Number of attempts made, and of claims and attempts that failed with an error of this system. */
export type Drained = { attempted: number; failedHere: number };

/**
 * Attempts the due deliveries of an endpoint, oldest first, until none is due or `budgetMs` is over. Deliveries wait in the
 * database, and each is taken up as soon as one of the endpoint's places is free. Resolves when it claims no more deliveries;
 * `finished` resolves when the last attempts have ended. Never rejects: errors are logged.
 */
export async function drain(
  endpointId: string,
  options: DrainOptions = {},
  budgetMs: number = claimMs,
): Promise<{ left: Left; finished: Promise<Drained> }> {
  const { drains = drainsOfThisProcess, network = Call.internet } = options;
  const done: Drained = { attempted: 0, failedHere: 0 };
  const lookAgain = drains.get(endpointId);
  if (lookAgain) {
    lookAgain();
    return { left: "elsewhere", finished: Promise.resolve(done) };
  }
  const endsAt = performance.now() + budgetMs;
  const inProgress = new Set<Promise<void>>();
  let event = Promise.withResolvers<void>();
  let more = true;
  const look = () => {
    more = true;
    event.resolve();
  };

  const failed = (error: unknown) => {
    done.failedHere++;
    log.error("delivery not attempted", { endpointId, error: error as Error });
  };

  function start(prepared: PreparedAttempt): void {
    const ended = attempt(prepared, options)
      .then(() => void done.attempted++, failed)
      .finally(() => {
        inProgress.delete(ended);
        event.resolve();
      });
    inProgress.add(ended);
  }

  async function claimFree(): Promise<Claim> {
    more = false;
    const claimed = await claim(endpointId);
    more ||= claimed.more;
    for (const prepared of claimed.attempts) start(prepared);
    return claimed;
  }

  async function run(): Promise<Left> {
    drains.set(endpointId, look);
    try {
      // After an error of this system, the rest is left to the queue's next attempt or to the sweep.
      while (done.failedHere === 0 && performance.now() < endsAt) {
        event = Promise.withResolvers();
        if (more && inProgress.size < perEndpoint) {
          const { full } = await claimFree();
          if (full && more && inProgress.size === 0) return "crowded";
        }
        if (inProgress.size > 0) {
          const cancel = network.timer(lookMs, look);
          await event.promise;
          cancel();
        } else if (!more) return "none";
      }
      return more ? "time" : "none";
    } catch (error) {
      failed(error);
      return "none";
    } finally {
      // In the same step as the last look at `more`, so that no call of `look` comes in between.
      drains.delete(endpointId);
    }
  }

  const left = await run();
  return { left, finished: Promise.all(inProgress).then(() => done) };
}
