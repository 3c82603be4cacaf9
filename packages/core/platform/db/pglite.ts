import { PGlite, types } from "@electric-sql/pglite";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { Fault } from "../../base/fault.ts";

/** How long a statement waits for the one session before it gives up. */
export const waitMs = 5000;

/**
 * The embedded PostgreSQL, in a directory or in memory, in the shape of a pool with one connection. A statement outside
 * the transaction that waits for it would wait for ever, as it would with the one connection of a Lambda function:
 * after five seconds it is refused with a message that says so.
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

/** The pool's shape around an engine that is already running. */
export function pool(engine: PGlite): PostgresPool {
  let last = Promise.resolve();
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
      const { promise: mine, resolve: done } = Promise.withResolvers<void>();
      const before = last;
      last = before.then(() => mine);
      if (!(await inTime(before))) {
        done();
        throw new Fault(
          "unavailable",
          "database_unavailable",
          "The embedded database has one session, and it was busy for five seconds.",
          { retryAfterSeconds: 1, cause: new Error("Is a query outside the transaction awaited inside it?") },
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
