import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { close, connect, db, postgres } from "../core/platform/db/engine.ts";
import { migrate } from "../core/platform/db/migrate.ts";
import type { QueueMessage } from "../core/platform/queue/message.ts";
import * as Queue from "../core/platform/queue/queue.ts";
import { administer, databaseUrl } from "../core/testing/setup-database.ts";
import { emit, endpoint, type Subscriber, subscriber } from "../core/testing/webhooks.ts";
import { consume } from "../core/webhook/consume.ts";
import { perEndpoint } from "../core/webhook/deliver.ts";
import * as Endpoint from "../core/webhook/endpoint.ts";
import { signature } from "../core/webhook/sign.ts";
import { sweep } from "../core/webhook/sweep.ts";
import { cpuBetween, cpuTimes } from "./cpu.ts";
import { median } from "./interleaved.ts";

const workspaces = 3;
const endpointsEach = 17;
const events = 50;
const rounds = 7;
/** Concurrent instances of the consumer. Each has one connection and one batch at a time. */
const instances = 10;
const batchSize = 10;

/**
 * Measures webhook deliveries per second of one process on PostgreSQL, to a receiver in a separate process that responds at
 * once, and the share of signing. All processes, including the database server, share the machine's cores. Needs Linux, which
 * reports the processor time of other processes.
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
    const subscribers: Subscriber[] = [];
    for (let n = 0; n < workspaces; n++) subscribers.push(await subscriber());
    for (const person of subscribers)
      for (let n = 0; n < endpointsEach; n++) await endpoint(person, `http://127.0.0.1:${port}/${n}`);
    const perRound = workspaces * endpointsEach * events;
    const emitAll = async () => {
      sent.length = 0;
      for (let n = 0; n < events; n++) for (const person of subscribers) await emit(person);
    };
    const variants = { consumer: () => consumeAll(sent), sweep: () => sweep(600_000) };
    const spent = { consumer: [] as Spent[], sweep: [] as Spent[] };
    for (let round = 0; round <= rounds; round++)
      for (const [variant, work] of Object.entries(variants)) {
        await emitAll();
        const each = await measure(work, perRound, receiver.pid ?? 0);
        if (round > 0) spent[variant as keyof typeof spent].push(each);
        await assertAllDelivered();
      }
    const signingMs = await measureSigning();
    return [
      `### Webhook deliveries to ${workspaces * endpointsEach} endpoints (${perRound} per round, median of ${rounds} rounds)`,
      "",
      "| variant | deliveries per second | worst to best round | CPU ms per delivery | per second on two idle cores | share of signing |",
      "|---|---|---|---|---|---|",
      ...Object.entries(spent).map(([variant, list]) => {
        const rates = list.map(({ wallMs }) => Math.round(1000 / wallMs)).sort((a, b) => a - b);
        const cpuMs = median(list.map((each) => each.cpuMs));
        const share = ((signingMs / cpuMs) * 100).toFixed(2);
        return `| ${variant} | ${median(rates)} | ${rates[0]} to ${rates.at(-1)} | ${cpuMs.toFixed(2)} | ${Math.round(2000 / cpuMs)} | ${share} % |`;
      }),
      "",
      `CPU time includes the delivering process, the database and the receiver. Signing, and decrypting the secret once for ten deliveries, takes ${(signingMs * 1000).toFixed(1)} µs per delivery.`,
      "",
    ].join("\n");
  } finally {
    receiver.disconnect();
    await close();
    await administer(server, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

/** Milliseconds per delivery. */
type Spent = { wallMs: number; cpuMs: number };

async function measure(work: () => Promise<unknown>, count: number, receiver: number): Promise<Spent> {
  const started = performance.now();
  const before = await cpuTimes(receiver);
  await work();
  const wallMs = (performance.now() - started) / count;
  return { wallMs, cpuMs: cpuBetween(before, await cpuTimes(receiver)) / count };
}

/** Consumes all messages like the queue's consumers: each instance takes the next batch when it has finished one. */
async function consumeAll(sent: QueueMessage[]): Promise<void> {
  const runInstance = async () => {
    while (sent.length > 0) {
      const batch = sent.splice(0, batchSize).map(({ body }, n) => ({ messageId: String(n), body }));
      const failed = await consume(batch);
      if (failed.length > 0) throw new Error(`${failed.length} messages failed.`);
    }
  };
  await Promise.all(Array.from({ length: instances }, runInstance));
}

async function assertAllDelivered(): Promise<void> {
  const { rows: left } = await sql`
    SELECT d.status, d.attempt_count, a.error FROM webhook_deliveries d
    LEFT JOIN webhook_attempts a ON a.delivery_id = d.id AND a.number = d.attempt_count
    WHERE d.status <> 'delivered' LIMIT 10`.execute(db());
  if (left.length > 0) throw new Error(`Some deliveries failed: ${JSON.stringify(left)}`);
}

/** Returns the CPU milliseconds of a delivery for signing its body and its part of decrypting the secret once for ten. */
async function measureSigning(): Promise<number> {
  const row = await db().selectFrom("webhook_endpoints").selectAll().limit(1).executeTakeFirstOrThrow();
  const { event_id: id, body } = await db()
    .selectFrom("webhook_deliveries")
    .select(["event_id", "body"])
    .limit(1)
    .executeTakeFirstOrThrow();
  const [calls, now] = [10_000, new Date()];
  const batch = () => {
    const before = process.cpuUsage();
    let secrets: string[] = [];
    for (let timestamp = 0; timestamp < calls; timestamp++) {
      if (timestamp % perEndpoint === 0) secrets = Endpoint.signingSecrets(row, now);
      signature(secrets, { id, timestamp, body });
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / calls;
  };
  return median(Array.from({ length: rounds }, batch));
}
