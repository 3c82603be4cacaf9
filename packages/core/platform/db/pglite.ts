import { PGlite, types } from "@electric-sql/pglite";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { Fault } from "../../base/fault.ts";

/** How long a caller waits for the only connection. */
export const waitMs = 5000;

/**
 * Opens an embedded PostgreSQL, in a directory or in memory, as a pool of one connection. Like a Lambda function, it has no
 * second connection, so a transaction that awaits a query outside of it would wait forever. Such a query fails after five
 * seconds with an explanation.
 */
export async function open(options: { directory?: string; snapshot?: Blob } = {}): Promise<PostgresPool> {
  const engine = await PGlite.create({
    ...(options.directory && { dataDir: options.directory }),
    ...(options.snapshot && { loadDataDir: options.snapshot }),
    parsers: { [types.INT8]: BigInt, [types.DATE]: (value) => value },
  });
  await engine.exec("SET default_transaction_isolation TO 'repeatable read'");
  return pool(engine);
}

/** Wraps a running engine as a pool of one connection. */
export function pool(engine: PGlite): PostgresPool {
  let lastTurn = Promise.resolve();
  let release = () => {};
  const client = {
    async query(sql: string, parameters: readonly unknown[]) {
      const { rows, affectedRows } = await engine.query(sql, [...parameters]);
      return { command: /^\s*(\w+)/.exec(sql)?.[1]?.toUpperCase(), rowCount: affectedRows ?? 0, rows };
    },
    release: () => release(),
  } as unknown as PostgresPoolClient;
  return {
    options: {},
    async connect() {
      const { promise: turn, resolve: done } = Promise.withResolvers<void>();
      const before = lastTurn;
      lastTurn = before.then(() => turn);
      if (!(await inTime(before))) {
        done();
        throw new Fault(
          "unavailable",
          "database_unavailable",
          "The embedded database has one connection, which was busy for five seconds.",
          { retryAfterSeconds: 1, cause: new Error("A transaction may be awaiting a query outside of it.") },
        );
      }
      release = done;
      return client;
    },
    end: () => engine.close(),
  };
}

async function inTime(turn: Promise<void>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), waitMs);
  try {
    return await Promise.race([turn.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
