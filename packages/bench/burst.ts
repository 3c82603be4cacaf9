import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { close, db, postgres } from "../core/platform/db/engine.ts";
import { type Receiver, receiver } from "../core/testing/receiver.ts";
import { administer, databaseUrl } from "../core/testing/setup-database.ts";
import { emit, endpoint, subscriber } from "../core/testing/webhooks.ts";
import * as Delivery from "../core/webhook/delivery.ts";
import * as Endpoint from "../core/webhook/endpoint.ts";
import { connections, startLocal } from "../local/server.ts";
import { median } from "./interleaved.ts";

const rounds = 5;
/** Milliseconds between two events to the other endpoint, while the burst is delivered. */
const probeEveryMs = 250;

/** Milliseconds until all responses were sent, the longest pause between two requests, and the longest delay of a probe. */
type Burst = { totalMs: number; gapMs: number; probeMs: number };

/**
 * Measures how fast the local server on PostgreSQL delivers a burst to one endpoint: 60 events to a receiver that takes a second
 * for each, and `recover` of 500 events to one that responds at once. Meanwhile, another workspace's endpoint gets an event
 * every quarter of a second. The receivers run in the same process.
 */
export async function burst(): Promise<string> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return "burst: needs TEST_DATABASE_URL (.ci/with-postgres npm run bench -- burst)\n";
  const name = `svc_bench_${process.pid}`;
  await administer(server, `CREATE DATABASE ${name}`);
  const data = await mkdtemp(join(tmpdir(), "svc-bench-"));
  const database = postgres(databaseUrl(server, name), connections);
  const receiving = await receiver();
  const local = await startLocal({ port: 0, data, seed: "none", database });
  const bursts = {
    "60 events, receiver takes 1 s": () => emitted(receiving, 60, 1000),
    "`recover` of 500 events, receiver responds at once": () => recovered(receiving, 500),
  };
  try {
    const rows: string[] = [];
    for (const [title, run] of Object.entries(bursts)) {
      const results: Burst[] = [];
      for (let round = 0; round < rounds; round++) results.push(await run());
      const totals = results.map(({ totalMs }) => totalMs);
      const longest = (of: keyof Burst) => Math.max(...results.map((result) => result[of]));
      const figures = [median(totals), Math.max(...totals), longest("gapMs"), longest("probeMs")];
      rows.push(`| ${title} | ${figures.map(Math.round).join(" | ")} |`);
    }
    return [
      `### Bursts to one endpoint (${rounds} rounds)`,
      "",
      "| burst | median ms until all are delivered | slowest round | longest pause between two requests | longest delay of another endpoint |",
      "|---|---|---|---|---|",
      ...rows,
      "",
    ].join("\n");
  } finally {
    await local.close();
    await receiving.close();
    await close();
    await administer(server, `DROP DATABASE ${name} WITH (FORCE)`);
    await rm(data, { recursive: true, force: true });
  }
}

/** Emits the events one after the other. */
async function emitted(at: Receiver, events: number, responseMs: number): Promise<Burst> {
  const person = await subscriber();
  await endpoint(person, `${at.url}/burst`);
  return measure(at, events, responseMs, async () => {
    for (let n = 0; n < events; n++) await emit(person);
  });
}

/** Recovers events that were recorded before their endpoint was registered. */
async function recovered(at: Receiver, events: number): Promise<Burst> {
  const person = await subscriber();
  for (let n = 0; n < events; n++) await emit(person);
  const { id } = await endpoint(person, `${at.url}/burst`);
  const since = new Date(0).toISOString();
  return measure(at, events, 0, () => Delivery.recover(person.actor, person.membership, id, { since }));
}

async function measure(
  at: Receiver,
  events: number,
  responseMs: number,
  start: () => Promise<unknown>,
): Promise<Burst> {
  const other = await subscriber();
  const { id } = await endpoint(other, `${at.url}/other`);
  const all = Promise.withResolvers<void>();
  const arrivals: number[] = [];
  let responses = 0;
  let probed = Promise.withResolvers<void>();
  at.answer = ({ path }) => {
    if (path === "/other") {
      probed.resolve();
      return 204;
    }
    arrivals.push(performance.now());
    return async (response) => {
      if (responseMs > 0) await after(responseMs);
      response.writeHead(204).end();
      if (++responses === events) all.resolve();
    };
  };
  const started = performance.now();
  const done = { yet: false };
  const delivered = Promise.all([start(), all.promise]).then(() => {
    done.yet = true;
    return performance.now() - started;
  });
  let probeMs = 0;
  while (!done.yet) {
    probed = Promise.withResolvers();
    const sent = performance.now();
    await emit(other);
    await probed.promise;
    probeMs = Math.max(probeMs, performance.now() - sent);
    await Promise.race([after(probeEveryMs), delivered]);
  }
  const totalMs = await delivered;
  const gaps = [started, ...arrivals].map((time, index) => (arrivals[index] ?? time) - time);
  await Endpoint.remove(other.actor, other.membership, id);
  await finished();
  return { totalMs, gapMs: Math.max(...gaps), probeMs };
}

/** Waits until the results of all attempts are recorded. */
async function finished(): Promise<void> {
  const pending = () =>
    db().selectFrom("webhook_deliveries").select("id").where("status", "=", "pending").limit(1).execute();
  while ((await pending()).length > 0) await after(50);
}
