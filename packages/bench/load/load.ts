import "../../core/testing/environment.ts"; // Must come first: silences the log before other modules log.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { close, connect, postgres } from "../../core/platform/db/engine.ts";
import { migrate } from "../../core/platform/db/migrate.ts";
import { administer, databaseUrl } from "../../core/testing/setup-database.ts";
import { median } from "../interleaved.ts";
import { endpoints, type LoadedEndpoint } from "./endpoints.ts";
import type { Memory } from "./server.ts";
import { localServer, type Server, startServer, stopServer } from "./servers.ts";
import { flatOut, openLoop, quantile, sustainedRate } from "./traffic.ts";

/** Seconds of load for each endpoint, without faults and, if it writes, with faults. LOAD_SECONDS=20 is for a trial run. */
const seconds = Number(process.env.LOAD_SECONDS ?? 600);
/** Selects endpoints by name with a regular expression. */
const only = new RegExp(process.env.LOAD_ONLY ?? "");

const share = 0.7;
const probeSeconds = Math.min(10, Math.max(3, seconds / 60));
const mib = 2 ** 20;
/** Largest share of stolen processor time in a part that counts. Pauses delay about three times that share of requests. */
const maxStolenShare = 0.005;
const parts = ["heap", "outsideHeap"] as const satisfies (keyof Memory)[];

/**
 * Loads the local server on PostgreSQL, started like `npm start`, one endpoint after the other: finds the highest fixed rate
 * that it sustains, then sends 70 % of that for ten minutes without faults, and again with 5 % of commits and of the bucket's
 * responses failing. Endpoints that only read commit nothing and use no bucket, so a tenth of the time is enough for them.
 * Finally compares the list of members with the SDK's presigner.
 */
async function load(): Promise<string> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return "load: needs TEST_DATABASE_URL (.ci/with-postgres npm run bench -- load)\n";
  const name = `svc_load_${process.pid}`;
  await administer(server, `CREATE DATABASE ${name}`);
  // PostgreSQL analyzes growing tables every minute, which takes a second of a core that it shares with the server.
  await administer(server, `ALTER DATABASE ${name} SET default_statistics_target = 10`);
  const database = databaseUrl(server, name);
  connect(postgres(database, 2));
  try {
    await migrate();
    const { loaded, absent } = await endpoints();
    const chosen = loaded.filter((endpoint) => only.test(endpoint.name));
    const rows: string[] = [];
    for (const endpoint of chosen)
      for await (const row of measureEndpoint(database, endpoint)) {
        console.error(row);
        rows.push(row);
      }
    const comparison = await compareSigners(database, chosen);
    return [
      `### Load: ${seconds} s for each endpoint, at ${share * 100} % of the highest sustained rate, on PostgreSQL`,
      "",
      "| endpoint | run | sustained /s | sent /s | p50 ms | p99 ms | p99/p50 | quiet minutes | p99/p50, whole run | refused | wrong | lost | resident MiB, middle to end | heap MiB, before to after | MiB outside the heap | flat |",
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|",
      ...rows,
      "",
      ...absent.map((key) => `${key} is not in routes.ts and was not loaded.\n`),
      comparison,
    ].join("\n");
  } finally {
    await close();
    await administer(server, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

/** Measures one endpoint on its own server. Yields a table row for each run. */
async function* measureEndpoint(database: string, endpoint: LoadedEndpoint): AsyncGenerator<string> {
  const server = await startServer(localServer, database);
  try {
    const maxRate = await sustainedRate(server.url, endpoint, probeSeconds);
    yield await runLoad(server, endpoint, maxRate, seconds, "no faults");
    server.send({ faults: true });
    yield await runLoad(server, endpoint, maxRate, endpoint.lost ? seconds : seconds / 10, "5 % faults");
  } finally {
    await stopServer(server);
  }
}

async function runLoad(
  server: Server,
  endpoint: LoadedEndpoint,
  maxRate: number,
  runSeconds: number,
  label: string,
): Promise<string> {
  const before = await memory(server);
  const resident: number[] = [];
  const memorySampling = setInterval(() => resident.push(residentMiB(server)), (runSeconds * 1000) / 120);
  const stolen = [stolenSeconds()];
  const stealSampling = setInterval(() => stolen.push(stolenSeconds()), (runSeconds * 1000) / 10);
  const outcome = await openLoop(server.url, endpoint, maxRate * share, runSeconds);
  clearInterval(memorySampling);
  clearInterval(stealSampling);
  stolen.push(stolenSeconds());
  const after = await memory(server);
  const third = Math.floor(resident.length / 3);
  const [middle, end] = [median(resident.slice(third, 2 * third)), median(resident.slice(2 * third))];
  const lost = (await endpoint.lost?.()) ?? [];
  for (const problem of [...outcome.wrong, ...lost].slice(0, 5))
    console.error(`${endpoint.name}: ${problem}`);
  const tenths = splitIntoTenths(outcome.latenciesMs).map(tail);
  const quiet = tenths.filter((_, tenth) => {
    const [from = 0, to = 0] = stolen.slice(tenth);
    return to - from <= (runSeconds / 10) * availableParallelism() * maxStolenShare;
  });
  const medianOf = (figure: keyof Tail) => median(quiet.map((each) => each[figure])).toFixed(1);
  // Resident memory says little: V8 doubles or halves its young generation as it sees fit.
  const flat = parts.every((part) => after[part] <= before[part] * 1.1 + 8 * mib);
  const cells = [
    endpoint.name,
    `${label}, ${runSeconds} s`,
    maxRate.toFixed(0),
    (maxRate * share).toFixed(0),
    medianOf("p50"),
    medianOf("p99"),
    medianOf("ratio"),
    `${quiet.length} of 10`,
    tail(outcome.latenciesMs).ratio.toFixed(1),
    outcome.refused,
    outcome.wrong.length,
    lost.length,
    `${middle.toFixed(0)} to ${end.toFixed(0)}`,
    ...parts.map((part) => `${(before[part] / mib).toFixed(0)} to ${(after[part] / mib).toFixed(0)}`),
    flat ? "yes" : "NO",
  ];
  return `| ${cells.join(" | ")} |`;
}

type Tail = { p50: number; p99: number; ratio: number };

function tail(latenciesMs: readonly number[]): Tail {
  const [p50, p99] = [quantile(latenciesMs, 0.5), quantile(latenciesMs, 0.99)];
  return { p50, p99, ratio: p99 / p50 };
}

/**
 * Splits the latencies of a run into ten equal parts. Each is evaluated separately, and the result is the median of the
 * parts without stolen processor time: a rented machine pauses for 10 to 40 ms several times a minute, and sometimes
 * repeatedly for minutes, independently of its load.
 */
function splitIntoTenths(latenciesMs: readonly number[]): number[][] {
  const each = Math.ceil(latenciesMs.length / 10);
  return Array.from({ length: 10 }, (_, tenth) => latenciesMs.slice(tenth * each, (tenth + 1) * each));
}

/** Returns the total seconds that the host gave this machine's processors to others ("steal" in proc_stat(5)). */
function stolenSeconds(): number {
  const [, ticks = Number.NaN] =
    /^cpu +(?:\d+ ){7}(\d+)/.exec(readFileSync("/proc/stat", "utf8"))?.map(Number) ?? [];
  return ticks / 100;
}

async function memory({ process: child, send }: Server): Promise<Memory> {
  send({ collect: true });
  const [memory] = (await once(child, "message")) as [Memory];
  return memory;
}

function residentMiB({ process: child }: Server): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;
}

/** Compares the list of members with our signer and with the SDK's, in turn, each in a separate process. */
async function compareSigners(database: string, chosen: readonly LoadedEndpoint[]): Promise<string> {
  const members = chosen.find(({ name }) => name.startsWith("members"));
  if (!members) return "";
  const own = await startServer(localServer, database);
  const sdk = await startServer(localServer, database, { LOAD_SIGNER: "sdk" });
  try {
    const rates = { own: [] as number[], sdk: [] as number[] };
    for (let round = 0; round <= 3; round++)
      for (const [which, { url }] of Object.entries({ own, sdk }) as ["own" | "sdk", Server][]) {
        const rate = await flatOut(url, members, round === 0 ? 2 : probeSeconds);
        if (round > 0) rates[which].push(rate);
      }
    const [ownRate, sdkRate] = [median(rates.own), median(rates.sdk)];
    return `Members with 1,000 avatars: ${ownRate.toFixed(1)} requests per second with our signer, ${sdkRate.toFixed(1)} with the SDK's in the same handler: ${(ownRate / sdkRate).toFixed(1)} times as many.\n`;
  } finally {
    await Promise.all([stopServer(own), stopServer(sdk)]);
  }
}

console.log(await load());
process.exit(0);
