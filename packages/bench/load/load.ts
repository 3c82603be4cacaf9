import "../../core/testing/environment.ts"; // first: it silences the log before there is one
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { allocator } from "../../core/avatar/allocator.ts";
import { close, connect, postgres } from "../../core/platform/db/engine.ts";
import { migrate } from "../../core/platform/db/migrate.ts";
import { administer, databaseUrl } from "../../core/testing/setup-database.ts";
import { median } from "../interleaved.ts";
import { endpoints, type Loaded } from "./endpoints.ts";
import type { Memory, Ready, Told } from "./server.ts";
import { flatOut, openLoop, quantile, sustained } from "./traffic.ts";

/** How long each endpoint is loaded, calm and, if it writes, with faults. LOAD_SECONDS=20 tries it out. */
const seconds = Number(process.env.LOAD_SECONDS ?? 600);
/** Only endpoints whose name fits this regular expression. */
const only = new RegExp(process.env.LOAD_ONLY ?? "");

const share = 0.7;
const probeSeconds = Math.min(10, Math.max(3, seconds / 60));
const mib = 2 ** 20;
/** Of a minute that counts: what is stopped for a share of the time makes three times that share late. */
const mostStolen = 0.005;
const parts = ["heap", "beside"] as const satisfies (keyof Memory)[];

/**
 * The local server on PostgreSQL, started as `npm start` starts it, one endpoint after the other: the highest fixed
 * rate that it keeps up with, then 70 % of that for ten minutes, calm and with 5 % of commits and of the
 * bucket's answers failing; and members once more with the SDK's presigner. What only reads commits nothing and asks
 * nothing of the bucket, so faults have little to strike: a tenth of the time shows that they do not.
 */
async function load(): Promise<string> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return "load: needs TEST_DATABASE_URL (.ci/with-postgres npm run bench -- load)\n";
  const name = `svc_load_${process.pid}`;
  await administer(server, `CREATE DATABASE ${name}`);
  // Each minute it analyses the tables that grow: a second of one of the two cores that it shares with the server here.
  await administer(server, `ALTER DATABASE ${name} SET default_statistics_target = 10`);
  const database = databaseUrl(server, name);
  connect(postgres(database, 2));
  try {
    await migrate();
    const { loaded, absent } = await endpoints();
    const chosen = loaded.filter((endpoint) => only.test(endpoint.name));
    const rows: string[] = [];
    for (const endpoint of chosen)
      for await (const row of measured(database, endpoint)) {
        console.error(row);
        rows.push(row);
      }
    const compared = await againstSdk(database, chosen);
    return [
      `### Load: ${seconds} s for each endpoint, at ${share * 100} % of the most that the server can do, on PostgreSQL`,
      "",
      "| endpoint | | most /s | sent /s | p50 ms | p99 ms | p99/p50 | quiet minutes | p99/p50 of the whole | refused | wrong | lost | MiB resident, middle to end | MiB of heap, before to after | MiB beside it | flat |",
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|",
      ...rows,
      "",
      ...absent.map((key) => `${key} is not in the table of routes: not loaded.\n`),
      compared,
    ].join("\n");
  } finally {
    await close();
    await administer(server, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

type Server = { url: string; process: ChildProcess; tell(told: Told): void };

async function started(database: string, signer: "own" | "sdk"): Promise<Server> {
  const child = fork(fileURLToPath(new URL("server.ts", import.meta.url)), {
    execArgv: ["--expose-gc", "--no-allocation-site-pretenuring"],
    env: {
      // The tests' store answers nowhere: the server is to have its own.
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("STORAGE_"))),
      LOAD_DATABASE: database,
      LOAD_SIGNER: signer,
      RATE_LIMITS: "off",
      ...allocator,
    },
  });
  const [ready] = (await once(child, "message")) as [Ready];
  // The address that it listens on: a look-up of localhost for each connection would be part of the measurement.
  const url = ready.url.replace("localhost", "127.0.0.1");
  return { url, process: child, tell: (told) => void child.send(told) };
}

async function stopped({ process: child }: Server): Promise<void> {
  child.disconnect();
  await once(child, "exit");
}

async function* measured(database: string, endpoint: Loaded): AsyncGenerator<string> {
  const server = await started(database, "own");
  try {
    const most = await sustained(server.url, endpoint, probeSeconds);
    yield await steady(server, endpoint, most, seconds, "calm");
    server.tell({ faults: true });
    yield await steady(server, endpoint, most, endpoint.lost ? seconds : seconds / 10, "5 % faults");
  } finally {
    await stopped(server);
  }
}

async function steady(
  server: Server,
  endpoint: Loaded,
  most: number,
  forSeconds: number,
  how: string,
): Promise<string> {
  const before = await memory(server);
  const resident: number[] = [];
  const sampling = setInterval(() => resident.push(residentMiB(server)), (forSeconds * 1000) / 120);
  const stolen = [stolenSeconds()];
  const robbing = setInterval(() => stolen.push(stolenSeconds()), (forSeconds * 1000) / 10);
  const seen = await openLoop(server.url, endpoint, most * share, forSeconds);
  clearInterval(sampling);
  clearInterval(robbing);
  stolen.push(stolenSeconds());
  const after = await memory(server);
  const third = Math.floor(resident.length / 3);
  const [middle, end] = [median(resident.slice(third, 2 * third)), median(resident.slice(2 * third))];
  const lost = (await endpoint.lost?.()) ?? [];
  for (const problem of [...seen.wrong, ...lost].slice(0, 5)) console.error(`${endpoint.name}: ${problem}`);
  const tenths = inTenths(seen.latenciesMs).map(tail);
  const quiet = tenths.filter((_, tenth) => {
    const [from = 0, to = 0] = stolen.slice(tenth);
    return to - from <= (forSeconds / 10) * availableParallelism() * mostStolen;
  });
  const middleOf = (figure: keyof Tail) => median(quiet.map((each) => each[figure])).toFixed(1);
  // Not by what is resident: V8 makes its young generation twice as big, or half, when it thinks fit.
  const flat = parts.every((part) => after[part] <= before[part] * 1.1 + 8 * mib);
  const cells = [
    endpoint.name,
    `${how}, ${forSeconds} s`,
    most.toFixed(0),
    (most * share).toFixed(0),
    middleOf("p50"),
    middleOf("p99"),
    middleOf("ratio"),
    `${quiet.length} of 10`,
    tail(seen.latenciesMs).ratio.toFixed(1),
    seen.refused,
    seen.wrong.length,
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
 * Ten minutes, each judged by itself; of those in which the host left us our processors the middle one counts. A rented
 * machine is stopped for 10 to 40 ms several times a minute, and now and then again and again for some minutes, whatever
 * runs on it. The whole stands beside it.
 */
function inTenths(latenciesMs: readonly number[]): number[][] {
  const each = Math.ceil(latenciesMs.length / 10);
  return Array.from({ length: 10 }, (_, tenth) => latenciesMs.slice(tenth * each, (tenth + 1) * each));
}

/** Seconds for which our processors did another machine's work, all of them together (proc_stat(5), "steal"). */
function stolenSeconds(): number {
  const [, ticks = Number.NaN] =
    /^cpu +(?:\d+ ){7}(\d+)/.exec(readFileSync("/proc/stat", "utf8"))?.map(Number) ?? [];
  return ticks / 100;
}

async function memory({ process: child, tell }: Server): Promise<Memory> {
  tell({ collect: true });
  const [told] = (await once(child, "message")) as [Memory];
  return told;
}

function residentMiB({ process: child }: Server): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;
}

/** Members with our signer and with the SDK's, in turn, each in a process of its own. */
async function againstSdk(database: string, chosen: readonly Loaded[]): Promise<string> {
  const members = chosen.find(({ name }) => name.startsWith("members"));
  if (!members) return "";
  const [own, sdk] = [await started(database, "own"), await started(database, "sdk")];
  try {
    const rates = { own: [] as number[], sdk: [] as number[] };
    for (let round = 0; round <= 3; round++)
      for (const [which, { url }] of Object.entries({ own, sdk }) as ["own" | "sdk", Server][]) {
        const rate = await flatOut(url, members, round === 0 ? 2 : probeSeconds);
        if (round > 0) rates[which].push(rate);
      }
    const [ours, theirs] = [median(rates.own), median(rates.sdk)];
    return `Members with 1,000 pictures: ${ours.toFixed(1)} a second with our signer, ${theirs.toFixed(1)} with the SDK's in the same handler: ${(ours / theirs).toFixed(1)} times.\n`;
  } finally {
    await Promise.all([stopped(own), stopped(sdk)]);
  }
}

console.log(await load());
process.exit(0);
