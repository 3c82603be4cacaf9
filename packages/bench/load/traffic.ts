import { setTimeout as after } from "node:timers/promises";
import { type Answer, type Call, send } from "./connections.ts";

/** What is sent, and why an answer is wrong, if it is. `refused` answers say that nothing was done. */
export type Endpoint = {
  name: string;
  call(at: number): Call;
  judge(answer: Answer, at: number): "right" | "refused" | string;
};

/** The latencies stand in the order in which the requests were due. */
export type Seen = { latenciesMs: number[]; right: number; refused: number; wrong: string[] };

/** Requests that are on their way at once. */
const maxInFlight = 3000;

function nothing(): Seen {
  return { latenciesMs: [], right: 0, refused: 0, wrong: [] };
}

async function one(url: string, endpoint: Endpoint, at: number, since: number, seen: Seen): Promise<void> {
  try {
    const verdict = endpoint.judge(await send(url, endpoint.call(at)), at);
    if (verdict === "right") seen.right++;
    else if (verdict === "refused") seen.refused++;
    else seen.wrong.push(verdict);
  } catch (error) {
    seen.wrong.push(String(error));
  } finally {
    seen.latenciesMs[at] = performance.now() - since;
  }
}

/** As fast as so many callers get their answers: the most that the server can do. Answers requests per second. */
export async function flatOut(
  url: string,
  endpoint: Endpoint,
  seconds: number,
  callers = 16,
): Promise<number> {
  const seen = nothing();
  const started = performance.now();
  const ends = started + seconds * 1000;
  let next = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < ends) await one(url, endpoint, next++, performance.now(), seen);
    }),
  );
  const [wrong = seen.refused > 0 && "refused, though nothing is made to fail"] = seen.wrong;
  if (wrong) throw new Error(`${endpoint.name}: ${wrong}`);
  return seen.right / ((performance.now() - started) / 1000);
}

/**
 * So many requests a second, sent when they are due whatever became of those before, and timed from then: a server that
 * stands still for a second makes all that were due in it late, as it does for the people who wait. With thousands
 * unanswered it gives up, which is a wrong answer more.
 */
export async function openLoop(
  url: string,
  endpoint: Endpoint,
  perSecond: number,
  seconds: number,
): Promise<Seen> {
  const seen = nothing();
  const inFlight = new Set<Promise<void>>();
  const started = performance.now();
  const total = Math.round(perSecond * seconds);
  for (let at = 0; at < total; ) {
    const due = started + (at * 1000) / perSecond;
    const waitMs = due - performance.now();
    if (waitMs > 0) {
      await after(Math.min(waitMs, 2));
      continue;
    }
    if (inFlight.size >= maxInFlight) {
      seen.wrong.push(`given up with ${maxInFlight} requests unanswered`);
      break;
    }
    const work = one(url, endpoint, at++, due, seen).finally(() => inFlight.delete(work));
    inFlight.add(work);
  }
  await Promise.all(inFlight);
  return seen;
}

/** How often the range of rates is halved. */
const halvings = 6;
/** How often the rate that was found may be lowered until it is kept up with for long. */
const lowerings = 6;

/** Half a second: a server that answers a twentieth less than is asked of it is as late after ten seconds. */
const longestWaitMs = 500;

/**
 * The highest fixed rate that the server keeps up with, in requests per second: nobody waits for longer than half a
 * second. Callers who wait for their answers come to more, since a busy server does with one wake-up what otherwise takes
 * several; it is not a rate that anybody could be promised. What short probes have found is held for twelve times as long,
 * and lowered by a tenth until it was kept up with all the while: a rented machine is not as fast in every minute. The
 * search is the warm-up too. Throws when that comes to nothing.
 */
export async function sustained(url: string, endpoint: Endpoint, probeSeconds: number): Promise<number> {
  const keptUp = async (rate: number, seconds: number) => {
    const { latenciesMs, wrong } = await openLoop(url, endpoint, rate, seconds);
    return wrong.length === 0 && quantile(latenciesMs, 1) <= longestWaitMs;
  };
  await flatOut(url, endpoint, probeSeconds);
  let tooMuch = await flatOut(url, endpoint, probeSeconds);
  let kept = 0;
  for (let halving = 0; halving < halvings; halving++) {
    const rate = (kept + tooMuch) / 2;
    // Twice, before it counts as too high: the machine's host may have stopped it for a moment.
    if ((await keptUp(rate, probeSeconds)) || (await keptUp(rate, probeSeconds))) kept = rate;
    else tooMuch = rate;
  }
  for (let lowering = 0; lowering <= lowerings; lowering++) {
    if (await keptUp(kept, 12 * probeSeconds)) return kept;
    kept *= 0.9;
  }
  throw new Error(`${endpoint.name}: kept up with nothing.`);
}

/** The value below which this share of a list lies. */
export function quantile(list: readonly number[], share: number): number {
  const sorted = Float64Array.from(list).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
