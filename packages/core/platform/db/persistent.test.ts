import { setImmediate } from "node:timers/promises";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { afterEach, expect, test, vi } from "vitest";
import { maxAttempts } from "./conflict.ts";
import { persistent } from "./pool.ts";

afterEach(() => vi.restoreAllMocks());

/** A connection that loses the first so many races. */
function losing(times: number) {
  const log: string[] = [];
  const query = async (sql: string) => {
    await setImmediate();
    log.push(sql);
    if (log.length <= times) throw Object.assign(new Error("lost"), { severity: "ERROR", code: "40001" });
    return { command: "UPDATE", rowCount: 1, rows: [] };
  };
  const client = { query, release() {} } as unknown as PostgresPoolClient;
  const pool: PostgresPool = { options: {}, end: async () => {}, connect: async () => client };
  vi.spyOn(Math, "random").mockReturnValue(0);
  return { pool: persistent(pool), log };
}

test("a statement alone that loses a race is run again", async () => {
  const { pool, log } = losing(2);
  await (await pool.connect()).query("UPDATE a SET b = 1", []);
  expect(log).toEqual(Array(3).fill("UPDATE a SET b = 1"));
});

test("one that never wins is 503 with Retry-After", async () => {
  const { pool, log } = losing(Number.POSITIVE_INFINITY);
  const client = await pool.connect();
  await expect(client.query("UPDATE a SET b = 1", [])).rejects.toMatchObject({
    kind: "unavailable",
    code: "database_conflict",
    details: { retryAfterSeconds: 1 },
  });
  expect(log).toHaveLength(maxAttempts);
});

test("within a transaction nothing is run again, after it everything is", async () => {
  const { pool, log } = losing(1);
  const client = await pool.connect();
  await expect(client.query("begin", [])).rejects.toThrow("lost");
  log.length = 0;
  await expect(client.query("UPDATE a SET b = 1", [])).rejects.toThrow("lost");
  log.length = 0;
  await expect(client.query("commit", [])).rejects.toThrow("lost");
  log.length = 0;
  await client.query("UPDATE a SET b = 2", []);
  expect(log).toEqual(Array(2).fill("UPDATE a SET b = 2"));
});

test("a transaction that could not begin does not keep the connection's next user from being run again", async () => {
  const { pool, log } = losing(1);
  const client = await pool.connect();
  await expect(client.query("begin", [])).rejects.toThrow("lost");
  client.release();
  log.length = 0;
  await (await pool.connect()).query("UPDATE a SET b = 1", []);
  expect(log).toEqual(Array(2).fill("UPDATE a SET b = 1"));
});
