import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { allocator } from "../../core/avatar/allocator.ts";
import { close, connect, postgres } from "../../core/db/engine.ts";
import { migrate } from "../../core/db/migrate.ts";
import { administer, databaseUrl } from "../../core/testing/setup-database.ts";
import { median } from "../interleaved.ts";
import { endpoints, type Loaded } from "./endpoints.ts";
import type { Heap, Ready, Told } from "./server.ts";
import { flatOut, openLoop, quantile, sustained } from "./traffic.ts";

/** How long each endpoint is loaded, once calm and once with faults. LOAD_SECONDS=20 tries it out. */
const seconds = Number(process.env.LOAD_SECONDS ?? 600);
/** Only endpoints whose name fits this regular expression. */
const only = new RegExp(process.env.LOAD_ONLY ?? "");

const share = 0.7;
const probeSeconds = Math.min(20, Math.max(3, seconds / 10));
const mib = 2 ** 20;

/**
 * The local server on PostgreSQL, started as `npm start` starts it, one endpoint after the other: the highest fixed
 * rate that it keeps up with, then 70 % of that for ten minutes, calm and with 5 % of commits and of the
 * bucket's answers failing; and members once more with the SDK's presigner.
 */
export async function load(): Promise<string> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return "load: needs TEST_DATABASE_URL (.ci/with-postgres npm run bench -- load)\n";
  const name = `svc_load_${process.pid}`;
  await administer(server, `CREATE DATABASE ${name}`);
  const database = databaseUrl(server, name);
  connect(postgres(database, 2));
  try {
    await migrate();
    const { loaded, absent } = await endpoints();
    const chosen = loaded.filter((endpoint) => only.test(endpoint.name));
    const rows: string[] = [];
    for (const endpoint of chosen) {
      const line = await measured(database, endpoint);
      console.error(line);
      rows.push(line);
    }
    const compared = await againstSdk(database, chosen);
    return [
      `### Load: ${seconds} s for each endpoint, at ${share * 100} % of the most that the server can do, on PostgreSQL`,
      "",
      "| endpoint | | most /s | sent /s | p50 ms | p99 ms | p99/p50 | refused | wrong | lost | MiB resident, middle to end | MiB of heap, before to after | flat |",
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
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

async function measured(database: string, endpoint: Loaded): Promise<string> {
  const server = await started(database, "own");
  try {
    const most = await sustained(server.url, endpoint, probeSeconds);
    const calm = await steady(server, endpoint, most, "calm");
    server.tell({ faults: true });
    const faulty = await steady(server, endpoint, most, "5 % faults");
    return `${calm}\n${faulty}`;
  } finally {
    await stopped(server);
  }
}

async function steady(server: Server, endpoint: Loaded, most: number, how: string): Promise<string> {
  const heapBefore = await heap(server);
  const resident: number[] = [];
  const sampling = setInterval(() => resident.push(residentMiB(server)), (seconds * 1000) / 120);
  const seen = await openLoop(server.url, endpoint, most * share, seconds);
  clearInterval(sampling);
  const heapAfter = await heap(server);
  const third = Math.floor(resident.length / 3);
  const [middle, end] = [median(resident.slice(third, 2 * third)), median(resident.slice(2 * third))];
  const lost = (await endpoint.lost?.()) ?? [];
  for (const problem of [...seen.wrong, ...lost].slice(0, 5)) console.error(`${endpoint.name}: ${problem}`);
  const [p50, p99] = [quantile(seen.latenciesMs, 0.5), quantile(seen.latenciesMs, 0.99)];
  const flat = end <= middle * 1.05 + 8 && heapAfter <= heapBefore * 1.1 + 8;
  const cells = [
    endpoint.name,
    how,
    most.toFixed(0),
    (most * share).toFixed(0),
    p50.toFixed(1),
    p99.toFixed(1),
    (p99 / p50).toFixed(1),
    seen.refused,
    seen.wrong.length,
    lost.length,
    `${middle.toFixed(0)} to ${end.toFixed(0)}`,
    `${heapBefore.toFixed(0)} to ${heapAfter.toFixed(0)}`,
    flat ? "yes" : "NO",
  ];
  return `| ${cells.join(" | ")} |`;
}

/** What is left of the heap when its garbage is gone, in MiB. */
async function heap({ process: child, tell }: Server): Promise<number> {
  tell({ collect: true });
  const [{ heapUsed }] = (await once(child, "message")) as [Heap];
  return heapUsed / mib;
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
