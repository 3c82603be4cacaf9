import { type PostgresPool, sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { connect, db } from "../platform/db/engine.ts";
import type { QueueMessage } from "../platform/queue/message.ts";
import * as Queue from "../platform/queue/queue.ts";
import { testPool } from "../testing/database.ts";
import { unlimited } from "../testing/dsql.ts";
import { type Receiver, receiver } from "../testing/receiver.ts";
import { long } from "../testing/sample.ts";
import { deliveries, emit, endpoint, subscriber } from "../testing/webhooks.ts";
import { consume } from "./consume.ts";
import { perEndpoint } from "./deliver.ts";
import { dueQuery, sweep } from "./sweep.ts";

let at: Receiver;
beforeAll(async () => {
  at = await receiver();
});
afterAll(() => at.close());
beforeEach(() => {
  at.received.length = 0;
  at.answer = () => 204;
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
  Queue.connect(undefined);
  connect(testPool());
});

const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

/** Sweeps once a minute until no delivery is pending, for at most an hour. */
async function sweepUntilDone(): Promise<void> {
  for (let minute = 0; minute < 60; minute++) {
    await sweep();
    const left = await db()
      .selectFrom("webhook_deliveries")
      .select("id")
      .where("next_attempt_at", "is not", null)
      .limit(1)
      .execute();
    if (left.length === 0) return;
    later(60);
  }
}

const events = long ? 1000 : 100;

test(`sweep delivers ${events} events and logs every attempt while the queue loses all messages and half of the requests fail`, {
  timeout: 180_000,
}, async () => {
  const ada = await subscriber();
  const { id } = await endpoint(ada, at.url);
  let sends = 0;
  Queue.connect(async () => {
    if (++sends % 2 === 0) throw new Error("the queue is down");
  });
  let count = 0;
  const tries = new Map<string, number>();
  const arrived = new Set<string>();
  at.answer = ({ headers }) => {
    const event = headers["webhook-id"] ?? "";
    tries.set(event, (tries.get(event) ?? 0) + 1);
    // Every second request fails, alternating between a 500 and a connection reset. A fourth attempt always succeeds, because
    // there is no fifth.
    if (++count % 2 === 0 && (tries.get(event) ?? 0) < 4)
      return count % 4 === 0 ? 500 : (response) => response.socket?.resetAndDestroy();
    arrived.add(event);
    return 200;
  };
  for (let n = 0; n < events; n++) await emit(ada);
  await sweepUntilDone();
  const { rows } = await sql<{ event: string; status: string; attempts: bigint }>`
    SELECT d.event_id AS event, d.status, count(a.number) AS attempts
    FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id
    WHERE d.endpoint_id = ${id} GROUP BY d.event_id, d.status`.execute(db());
  expect([rows.length, arrived.size, sends]).toEqual([events, events, expect.any(Number)]);
  expect(rows.every(({ status }) => status === "delivered")).toBe(true);
  for (const { event, attempts } of rows)
    expect([event, Number(attempts)]).toEqual([event, tries.get(event)]);
  expect(at.received.length).toBeGreaterThan(1.4 * events);
});

/** The test database with write conflicts: commit n fails `losses[n % losses.length]` times before it succeeds. */
function poolWithConflicts(losses: readonly number[]): PostgresPool {
  let commit = 0;
  let left = losses[0] ?? 0;
  const pool = testPool();
  return {
    options: pool.options,
    end: async () => {},
    async connect() {
      const client = await pool.connect();
      return {
        async query(text: string, parameters: readonly unknown[]) {
          if (text === "commit" && left-- > 0) {
            await client.query("rollback", []);
            throw Object.assign(new Error("write conflict"), { severity: "ERROR", code: "40001" });
          }
          if (text === "commit") left = losses[++commit % losses.length] ?? 0;
          return client.query(text, parameters);
        },
        release: () => client.release(),
      } as never;
    },
  };
}

test("consume delivers every event once and logs it completely despite write conflicts", async () => {
  const ada = await subscriber();
  const { id } = await endpoint(ada, at.url);
  const sent: QueueMessage[] = [];
  Queue.connect(async (messages) => void sent.push(...messages));
  connect(poolWithConflicts([1, 0, 2, 3]));
  for (let n = 0; n < 20; n++) await emit(ada);
  expect(sent).toHaveLength(20);
  const messages = sent.map(({ body }, n) => ({ messageId: String(n), body }));
  expect(await consume(messages)).toEqual([]);
  expect(new Set(at.received.map(({ headers }) => headers["webhook-id"])).size).toBe(20);
  expect(at.received).toHaveLength(20);
  for (const delivery of await deliveries(ada, id))
    expect(delivery).toMatchObject({ status: "delivered", attemptCount: 1, attempts: [{ error: null }] });
});

test("consume fails the message when the database disappears during an attempt, and a later message repeats the attempt", async () => {
  const ada = await subscriber();
  const { id } = await endpoint(ada, at.url);
  const sent: QueueMessage[] = [];
  Queue.connect(async (messages) => void sent.push(...messages));
  await emit(ada);
  const unreachable: PostgresPool = {
    options: {},
    end: async () => {},
    connect: () => Promise.reject(new Error("connect ECONNREFUSED")),
  };
  at.answer = () => {
    connect(unreachable);
    return 200;
  };
  const messages = sent.map(({ body }) => ({ messageId: "m", body }));
  expect(await consume(messages)).toEqual(["m"]);
  connect(testPool());
  at.answer = () => 200;
  later(60);
  expect(await consume(messages)).toEqual([]);
  expect(await deliveries(ada, id)).toMatchObject([{ status: "delivered", attemptCount: 2 }]);
  expect(new Set(at.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
});

test("recording an event succeeds when the queue rejects the wake-up", async () => {
  const ada = await subscriber();
  const { id } = await endpoint(ada, at.url);
  Queue.connect(() => Promise.reject(new Error("the queue is down")));
  await expect(emit(ada)).resolves.toBeUndefined();
  expect(await deliveries(ada, id)).toMatchObject([{ status: "pending" }]);
});

test("sweep delivers to other endpoints while one hangs, and limits concurrent attempts at the hanging one", async () => {
  Queue.connect(async () => {});
  const [slow, ...others] = await Promise.all(Array.from({ length: 6 }, () => subscriber()));
  if (!slow) throw new Error("no subscriber");
  await endpoint(slow, `${at.url}/slow`);
  for (const other of others) await endpoint(other, `${at.url}/fast`);
  const hanging: (() => void)[] = [];
  const fast = Promise.withResolvers<void>();
  let fastCount = 0;
  at.answer = ({ path }) => {
    if (path === "/slow") return (response) => void hanging.push(() => response.end());
    if (++fastCount === 5 * 30) fast.resolve();
    return 204;
  };
  for (let n = 0; n < 30; n++) await emit(slow);
  for (const other of others) for (let n = 0; n < 30; n++) await emit(other);
  const sweeping = sweep();
  await fast.promise;
  expect(hanging).toHaveLength(10);
  at.answer = () => 204;
  for (const answer of hanging) answer();
  await sweeping;
  await sweep();
  expect(at.received.filter(({ path }) => path === "/slow")).toHaveLength(30);
});

test("sweep takes up each waiting delivery when a place of its endpoint is free", async () => {
  Queue.connect(async () => {});
  const ada = await subscriber();
  const { id } = await endpoint(ada, `${at.url}/slow`);
  const held: (() => void)[] = [];
  let arrived = Promise.withResolvers<void>();
  at.answer = () => (response) => {
    held.push(() => response.end());
    arrived.resolve();
  };
  const events = perEndpoint + 5;
  for (let n = 0; n < events; n++) await emit(ada);
  const sweeping = sweep();
  for (let answered = 0; answered < events; answered++) {
    while (held.length < Math.min(perEndpoint, events - answered)) {
      await arrived.promise;
      arrived = Promise.withResolvers();
    }
    expect(held.length).toBeLessThanOrEqual(perEndpoint);
    held.shift()?.();
  }
  expect(await sweeping).toEqual({ attempted: events, failedHere: 0 });
  const log = await deliveries(ada, id);
  expect(log.map(({ status, attemptCount }) => [status, attemptCount])).toEqual(
    Array(events).fill(["delivered", 1]),
  );
});

const finished = long ? 100_000 : 20_000;

test(`dueQuery reads only due rows among ${finished} finished and 1,000 due deliveries`, {
  timeout: 120_000,
}, async () => {
  const now = new Date();
  const insert = (from: number, to: number, due: boolean) =>
    sql`INSERT INTO webhook_deliveries (id, endpoint_id, workspace_id, event_id, type, body, status, attempt_count,
        failure_count, next_attempt_at, created_at, completed_at)
      SELECT 'whd_plan' || n, 'whk_plan' || n % 200, 'wsp_plan', 'evt_plan' || n, 'project.archived', '{}',
        ${due ? "pending" : "delivered"}, 1, 0, ${due ? now : null}::timestamptz, ${now}, ${due ? null : now}::timestamptz
      FROM generate_series(${sql.lit(from)}::int, ${sql.lit(to)}::int) n`.execute(db());
  const { sql: text, parameters } = dueQuery(["whk_plan1"], 100, now).compile();
  const { rows } = await unlimited(async () => {
    await insert(1, finished, false);
    await insert(finished + 1, finished + 1000, true);
    await sql`ANALYZE webhook_deliveries`.execute(db());
    const query = { ...sql``.compile(db()), sql: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, parameters };
    return db().executeQuery<{ "QUERY PLAN": { Plan: Node }[] }>(query);
  });
  const [plan] = rows[0]?.["QUERY PLAN"] ?? [];
  if (!plan) throw new Error("no plan");
  const nodes = [...nodesOf(plan.Plan)];
  const scans = nodes.filter((node) => node["Relation Name"] === "webhook_deliveries");
  expect(scans.length).toBeGreaterThan(0);
  expect(scans.map((node) => node["Node Type"])).not.toContain("Seq Scan");
  expect(nodes.some((node) => node["Index Name"] === "webhook_deliveries_due")).toBe(true);
  for (const node of scans) {
    const read = (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
    expect(read).toBeLessThanOrEqual(1100);
  }
  const cleared = db().deleteFrom("webhook_deliveries").where("workspace_id", "=", "wsp_plan");
  await unlimited(() => cleared.execute());
});

type Node = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Node[];
};

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const inner of node.Plans ?? []) yield* nodesOf(inner);
}
