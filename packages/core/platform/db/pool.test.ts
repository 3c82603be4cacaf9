import type { PostgresPool, PostgresPoolClient } from "kysely";
import { describe, expect, it } from "vitest";
import { Fault } from "../../base/fault.ts";
import { trustedIdleMs, withReconnect, withUnavailableFaults } from "./pool.ts";

/** A pool of one connection at a time. A connection that is released as broken is replaced by the next in the list. */
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

describe("withReconnect", () => {
  it("checks a connection only when it has been idle for longer than trustedIdleMs", async () => {
    let now = 0;
    const { pool, log } = fake(["lives"]);
    const checked = withReconnect(pool, () => now);
    (await checked.connect()).release();
    now += trustedIdleMs;
    (await checked.connect()).release();
    expect(log).toEqual([]);
    now += trustedIdleMs + 1;
    await checked.connect();
    expect(log).toEqual(["0: SELECT 1"]);
  });

  it("replaces a connection that died while idle", async () => {
    let now = 0;
    const { pool, log } = fake(["dead", "lives"]);
    const checked = withReconnect(pool, () => now);
    (await checked.connect()).release();
    now += trustedIdleMs + 1;
    const client = await checked.connect();
    await client.query("SELECT 2", []);
    expect(log).toEqual(["0: SELECT 1", "1: SELECT 2"]);
  });

  it("retries a refused connection once", async () => {
    await expect(withReconnect(fake(["refused", "lives"]).pool).connect()).resolves.toBeDefined();
  });
});

describe("withUnavailableFaults", () => {
  it("throws `database_unavailable` when a connection is refused twice", async () => {
    const down = withUnavailableFaults(withReconnect(fake(["refused", "refused"]).pool)).connect();
    await expect(down).rejects.toMatchObject({ kind: "unavailable", code: "database_unavailable" });
  });

  function queryFailsWith(error: Error) {
    const client = { query: () => Promise.reject(error), release() {} } as never;
    return withUnavailableFaults({ options: {}, end: async () => {}, connect: async () => client });
  }

  it("passes on an error that the server reported about a statement", async () => {
    const unique = Object.assign(new Error("duplicate key"), { severity: "ERROR", code: "23505" });
    const client = await queryFailsWith(unique).connect();
    await expect(client.query("x", [])).rejects.toBe(unique);
  });

  it("throws a Fault when the server shuts down", async () => {
    const shutdown = Object.assign(new Error("terminating"), { severity: "FATAL", code: "57P01" });
    const client = await queryFailsWith(shutdown).connect();
    await expect(client.query("x", [])).rejects.toBeInstanceOf(Fault);
  });
});

describe("wrapConnections", () => {
  it("returns the same object for the same connection", async () => {
    const { pool } = fake(["lives", "lives"]);
    const layered = withUnavailableFaults(withReconnect(pool));
    const first = await layered.connect();
    first.release();
    const again = await layered.connect();
    expect(again).toBe(first);
    again.release(true);
    expect(await layered.connect()).not.toBe(first);
  });
});
