import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { close, connect, db, postgres } from "../core/platform/db/engine.ts";
import { migrate } from "../core/platform/db/migrate.ts";
import type { QueueMessage } from "../core/platform/queue/message.ts";
import * as Queue from "../core/platform/queue/queue.ts";
import { administer, databaseUrl } from "../core/testing/setup-database.ts";
import { emit, endpoint, subscriber } from "../core/testing/webhooks.ts";
import { consume } from "../core/webhook/consume.ts";
import * as Endpoint from "../core/webhook/endpoint.ts";
import { signature } from "../core/webhook/sign.ts";
import { sweep } from "../core/webhook/sweep.ts";
import { median } from "./interleaved.ts";

const workspaces = 3;
const endpointsEach = 17;
const events = 50;
const rounds = 7;
/** As many instances of the consumer, each of which has a connection and a batch at a time. */
const instances = 10;
const batchSize = 10;

/**
 * Deliveries a second of one process on PostgreSQL, to a receiver in a process of its own that answers at once, and what part
 * of them signing is. All of it, the database's server too, shares the machine's cores; Linux alone tells their time.
 */
export async function webhooks(): Promise<string> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return "webhooks: needs TEST_DATABASE_URL (.ci/with-postgres npm run bench -- webhooks)\n";
  const name = `svc_bench_${process.pid}`;
  await administer(server, `CREATE DATABASE ${name}`);
  connect(postgres(databaseUrl(server, name), instances));
  const receiver = fork(fileURLToPath(new URL("webhook-receiver.ts", import.meta.url)));
  try {
    const [port] = await once(receiver, "message");
    process.env.SVC_ALLOW_LOOPBACK_WEBHOOKS = "1";
    await migrate();
    const sent: QueueMessage[] = [];
    Queue.connect(async (messages) => void sent.push(...messages));
    const people = [];
    for (let n = 0; n < workspaces; n++) people.push(await subscriber());
    for (const person of people)
      for (let n = 0; n < endpointsEach; n++) await endpoint(person, `http://127.0.0.1:${port}/${n}`);
    const perRound = workspaces * endpointsEach * events;
    const emitted = async () => {
      sent.length = 0;
      for (let n = 0; n < events; n++) for (const person of people) await emit(person);
    };
    const ways = { consumer: () => consumeAll(sent), sweep: () => sweep(600_000) };
    const spent = { consumer: [] as Spent[], sweep: [] as Spent[] };
    for (let round = 0; round <= rounds; round++)
      for (const [way, work] of Object.entries(ways)) {
        await emitted();
        const each = await measured(work, perRound, receiver.pid ?? 0);
        if (round > 0) spent[way as keyof typeof spent].push(each);
        await allDelivered();
      }
    const signingMs = await signingEach();
    return [
      `### Webhook deliveries to ${workspaces * endpointsEach} endpoints (${perRound} a round, median of ${rounds} rounds)`,
      "",
      "| way | deliveries a second | worst to best round | ms of processor each | which is, of two idle cores, a second | of it signing |",
      "|---|---|---|---|---|---|",
      ...Object.entries(spent).map(([way, list]) => {
        const rates = list.map(({ wallMs }) => Math.round(1000 / wallMs)).sort((a, b) => a - b);
        const cpuMs = median(list.map((each) => each.cpuMs));
        const share = ((signingMs / cpuMs) * 100).toFixed(2);
        return `| ${way} | ${median(rates)} | ${rates[0]} to ${rates.at(-1)} | ${cpuMs.toFixed(2)} | ${Math.round(2000 / cpuMs)} | ${share} % |`;
      }),
      "",
      `Processor time is that of the deliverer, the database and the receiver. Signing one, its secret unsealed first, takes ${(signingMs * 1000).toFixed(1)} µs of it.`,
      "",
    ].join("\n");
  } finally {
    receiver.disconnect();
    await close();
    await administer(server, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

/** Of one delivery, in milliseconds. */
type Spent = { wallMs: number; cpuMs: number };

async function measured(work: () => Promise<unknown>, count: number, receiver: number): Promise<Spent> {
  const started = performance.now();
  const before = await cpuMs(receiver);
  await work();
  const wallMs = (performance.now() - started) / count;
  const after = await cpuMs(receiver);
  // A connection that was made meanwhile has a process that began at nothing.
  const cpu = [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
  return { wallMs, cpuMs: cpu / count };
}

/** Time on a processor until now of us, the receiver and each process of the database: others hardly change it. */
async function cpuMs(receiver: number): Promise<Map<number, number>> {
  const { rows } = await sql<{ pid: number }>`SELECT pid FROM pg_stat_activity`.execute(db());
  const ticksPerSecond = 100;
  const of = (pid: number) => {
    const stat = existsSync(`/proc/${pid}`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : "";
    const [, utime = 0, stime = 0] = /\) \S(?: \S+){10} (\d+) (\d+)/.exec(stat) ?? [];
    return ((Number(utime) + Number(stime)) / ticksPerSecond) * 1000;
  };
  return new Map([process.pid, receiver, ...rows.map(({ pid }) => pid)].map((pid) => [pid, of(pid)]));
}

/** As the queue hands them out: a batch as soon as one is done. */
async function consumeAll(sent: QueueMessage[]): Promise<void> {
  const one = async () => {
    while (sent.length > 0) {
      const batch = sent.splice(0, batchSize).map(({ body }, n) => ({ messageId: String(n), body }));
      const failed = await consume(batch);
      if (failed.length > 0) throw new Error(`${failed.length} messages failed`);
    }
  };
  await Promise.all(Array.from({ length: instances }, one));
  // What found its endpoint crowded is left to the clock.
  await sweep();
}

async function allDelivered(): Promise<void> {
  const { rows: left } = await sql`
    SELECT d.status, d.attempt_count, a.error FROM webhook_deliveries d
    LEFT JOIN webhook_attempts a ON a.delivery_id = d.id AND a.number = d.attempt_count
    WHERE d.status <> 'delivered' LIMIT 10`.execute(db());
  if (left.length > 0) throw new Error(`Not everything was delivered: ${JSON.stringify(left)}`);
}

/** Milliseconds of processor that it takes to unseal the secret of an endpoint and sign a body with it. */
async function signingEach(): Promise<number> {
  const row = await db().selectFrom("webhook_endpoints").selectAll().limit(1).executeTakeFirstOrThrow();
  const { event_id: id, body } = await db()
    .selectFrom("webhook_deliveries")
    .select(["event_id", "body"])
    .limit(1)
    .executeTakeFirstOrThrow();
  const [calls, now] = [10_000, new Date()];
  const batch = () => {
    const before = process.cpuUsage();
    for (let timestamp = 0; timestamp < calls; timestamp++)
      signature(Endpoint.secrets(row, now), { id, timestamp, body });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / calls;
  };
  return median(Array.from({ length: rounds }, batch));
}
