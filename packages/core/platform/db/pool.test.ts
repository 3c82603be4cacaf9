import type { PostgresPool, PostgresPoolClient } from "kysely";
import { expect, test } from "vitest";
import { Fault } from "../../base/fault.ts";
import { persistent, reachable, revived, trustedIdleMs } from "./pool.ts";

/** A pool of one connection at a time; a connection that was released as broken is replaced by the next one. */
function fake(connections: readonly ("lives" | "dead" | "refused")[]) {
  const log: string[] = [];
  let at = 0;
  const clients = new Map<number, PostgresPoolClient>();
  const client = (number: number): PostgresPoolClient => {
    const made = {
      query: async (sql: string) => {
        log.push(`${number}: ${sql}`);
        if (connections[number] === "dead") throw new Error("Connection terminated unexpectedly");
        return { command: "SELECT", rowCount: 1, rows: [] };
      },
      release: (broken?: boolean) => {
        if (broken) at++;
      },
    } as unknown as PostgresPoolClient;
    clients.set(number, made);
    return made;
  };
  const pool: PostgresPool = {
    options: {},
    end: async () => {},
    async connect() {
      if (connections[at] === "refused") {
        at++;
        throw new Error("connect ECONNREFUSED");
      }
      return clients.get(at) ?? client(at);
    },
  };
  return { pool, log };
}

test("a connection in use is handed out as it is; one that lay idle is asked first", async () => {
  let now = 0;
  const { pool, log } = fake(["lives"]);
  const asked = revived(pool, () => now);
  (await asked.connect()).release();
  now += trustedIdleMs;
  (await asked.connect()).release();
  expect(log).toEqual([]);
  now += trustedIdleMs + 1;
  await asked.connect();
  expect(log).toEqual(["0: SELECT 1"]);
});

test("a connection is met again as the same object, as whoever keeps a note of it expects", async () => {
  const { pool } = fake(["lives", "lives"]);
  const layered = reachable(persistent(revived(pool)));
  const first = await layered.connect();
  first.release();
  const again = await layered.connect();
  expect(again).toBe(first);
  again.release(true);
  expect(await layered.connect()).not.toBe(first);
});

test("one that died while idle is replaced, and nobody notices", async () => {
  let now = 0;
  const { pool, log } = fake(["dead", "lives"]);
  const asked = revived(pool, () => now);
  (await asked.connect()).release();
  now += trustedIdleMs + 1;
  const client = await asked.connect();
  await client.query("SELECT 2", []);
  expect(log).toEqual(["0: SELECT 1", "1: SELECT 2"]);
});

test("a refused connect is tried once more, and then is a Fault without the address", async () => {
  await expect(revived(fake(["refused", "lives"]).pool).connect()).resolves.toBeDefined();
  const down = reachable(revived(fake(["refused", "refused"]).pool)).connect();
  await expect(down).rejects.toMatchObject({ kind: "unavailable", code: "database_unavailable" });
});

test("what the server said about a statement passes through as it is", async () => {
  const unique = Object.assign(new Error("duplicate key"), { severity: "ERROR", code: "23505" });
  const shutdown = Object.assign(new Error("terminating"), { severity: "FATAL", code: "57P01" });
  const failing = (error: Error) =>
    reachable({
      options: {},
      end: async () => {},
      connect: async () => ({ query: () => Promise.reject(error), release() {} }) as never,
    });
  const ask = async (error: Error) => (await failing(error).connect()).query("x", []);
  await expect(ask(unique)).rejects.toBe(unique);
  await expect(ask(shutdown)).rejects.toBeInstanceOf(Fault);
});
