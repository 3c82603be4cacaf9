import { setTimeout as sleep } from "node:timers/promises";
import { type HttpRequest, type HttpResponse, send } from "./connections.ts";

/** An endpoint under load. `check` returns the reason if a response is wrong; "refused" means that nothing was written. */
export type Endpoint = {
  name: string;
  request(at: number): HttpRequest;
  check(response: HttpResponse, at: number): "correct" | "refused" | string;
};

/** The outcome of a run. Latencies are in the order in which the requests were due. */
export type Outcome = { latenciesMs: number[]; correct: number; refused: number; wrong: string[] };

/** Maximum number of requests without a response. */
const maxInFlight = 3000;

function emptyOutcome(): Outcome {
  return { latenciesMs: [], correct: 0, refused: 0, wrong: [] };
}

/** Sends one request and records its outcome. Its latency is counted from `since`. */
async function sendOne(
  url: string,
  endpoint: Endpoint,
  at: number,
  since: number,
  outcome: Outcome,
): Promise<void> {
  try {
    const result = endpoint.check(await send(url, endpoint.request(at)), at);
    if (result === "correct") outcome.correct++;
    else if (result === "refused") outcome.refused++;
    else outcome.wrong.push(result);
  } catch (error) {
    outcome.wrong.push(String(error));
  } finally {
    outcome.latenciesMs[at] = performance.now() - since;
  }
}

/** Sends requests from concurrent callers, each as soon as its previous response arrives. Returns requests per second. */
export async function flatOut(
  url: string,
  endpoint: Endpoint,
  seconds: number,
  callers = 16,
): Promise<number> {
  const outcome = emptyOutcome();
  const started = performance.now();
  const ends = started + seconds * 1000;
  let next = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < ends) await sendOne(url, endpoint, next++, performance.now(), outcome);
    }),
  );
  const [wrong = outcome.refused > 0 && "a request was refused without injected faults"] = outcome.wrong;
  if (wrong) throw new Error(`${endpoint.name}: ${wrong}`);
  return outcome.correct / ((performance.now() - started) / 1000);
}

/**
 * Sends requests at a fixed rate, whether or not earlier ones have a response, and times each from when it was due. A pause
 * of the server therefore delays every request that was due during the pause, as it does for users. Gives up when
 * `maxInFlight` requests have no response, and counts that as a wrong response.
 */
export async function openLoop(
  url: string,
  endpoint: Endpoint,
  perSecond: number,
  seconds: number,
): Promise<Outcome> {
  const outcome = emptyOutcome();
  const inFlight = new Set<Promise<void>>();
  const started = performance.now();
  const total = Math.round(perSecond * seconds);
  for (let at = 0; at < total; ) {
    const due = started + (at * 1000) / perSecond;
    const waitMs = due - performance.now();
    if (waitMs > 0) {
      await sleep(Math.min(waitMs, 2));
      continue;
    }
    if (inFlight.size >= maxInFlight) {
      outcome.wrong.push(`gave up with ${maxInFlight} requests without a response`);
      break;
    }
    const work = sendOne(url, endpoint, at++, due, outcome).finally(() => inFlight.delete(work));
    inFlight.add(work);
  }
  await Promise.all(inFlight);
  return outcome;
}

/** Number of times that the range of rates is halved. */
const halvings = 6;
/** Maximum number of times that the rate is lowered until the server sustains it. */
const lowerings = 6;

/** Maximum latency at a sustained rate. A server that falls 5 % short of the rate exceeds it after ten seconds. */
const maxLatencyMs = 500;

/**
 * Finds the highest fixed rate, in requests per second, at which no request takes longer than half a second. It is lower than
 * the rate of `flatOut`, where a saturated server handles several requests per wake-up. Short probes find a rate. Because the
 * speed of a rented machine varies, the rate is then probed for twelve times as long, and lowered by a tenth until the server
 * sustains it. The search is also the warm-up. Throws if the server sustains no rate.
 */
export async function sustainedRate(url: string, endpoint: Endpoint, probeSeconds: number): Promise<number> {
  const sustains = async (rate: number, seconds: number) => {
    const { latenciesMs, wrong } = await openLoop(url, endpoint, rate, seconds);
    return wrong.length === 0 && quantile(latenciesMs, 1) <= maxLatencyMs;
  };
  await flatOut(url, endpoint, probeSeconds);
  let tooHigh = await flatOut(url, endpoint, probeSeconds);
  let sustained = 0;
  for (let halving = 0; halving < halvings; halving++) {
    const rate = (sustained + tooHigh) / 2;
    // Two failures make a rate too high, because the host may have paused the machine during one.
    if ((await sustains(rate, probeSeconds)) || (await sustains(rate, probeSeconds))) sustained = rate;
    else tooHigh = rate;
  }
  for (let lowering = 0; lowering <= lowerings; lowering++) {
    if (await sustains(sustained, 12 * probeSeconds)) return sustained;
    sustained *= 0.9;
  }
  throw new Error(`${endpoint.name}: the server sustained no rate.`);
}

/** Returns the quantile of a list, for example the median for a share of 0.5. */
export function quantile(list: readonly number[], share: number): number {
  const sorted = Float64Array.from(list).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
