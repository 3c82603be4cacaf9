import { Kysely, type PostgresPool, type Transaction } from "kysely";
import pg from "pg";
import * as Config from "../config/config.ts";
import { withCallbackQueries, withReconnect, withUnavailableFaults } from "./pool.ts";
import { RetryingDialect } from "./retrying-dialect.ts";
import type { Schema } from "./schema.ts";
import { noStatementNames, statementNames } from "./statement-names.ts";

export type Tx = Transaction<Schema>;

/** A source of rows: the database, or the transaction that the query is part of. */
export type Reader = Kysely<Schema>;

/** Name of the database role and of the schema on Aurora DSQL. They are equal because the search path has `"$user"`. */
export const dsqlRole = "svc";

let current: Kysely<Schema> | undefined;

/** Returns the database of this process: the one given to `connect`, otherwise the one configured in the environment. */
export function db(): Kysely<Schema> {
  current ??= kysely(fromEnvironment());
  return current;
}

/** Makes `pool` the database of the process: PGlite, or PostgreSQL with more than one connection. */
export function connect(pool: PostgresPool): void {
  current = kysely(pool);
}

/** Closes the connections. The next call of `db` reads the environment again. */
export async function close(): Promise<void> {
  const closing = current;
  current = undefined;
  await closing?.destroy();
}

/**
 * Returns a pool of PostgreSQL connections. Transactions default to repeatable read, the only level of Aurora DSQL, so that
 * a write conflict is SQLSTATE 40001 on every engine. Statements are prepared by name, unless the URL has the parameter
 * `prepared_statements=off`.
 */
export function postgres(url: string, max: number): PostgresPool {
  const names = /[?&]prepared_statements=off(?=&|$)/.test(url) ? noStatementNames : statementNames();
  return pooled(
    {
      connectionString: url,
      max,
      // With 32 MB a report's groups are aggregated in memory. The default of 4 MB sorts their rows on disk.
      options:
        "-c default_transaction_isolation=repeatable\\ read -c statement_timeout=20000 -c work_mem=32MB",
    },
    names,
  );
}

function kysely(pool: PostgresPool): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new RetryingDialect(withUnavailableFaults(pool)) });
}

/** Returns a pool of one connection, because a Lambda instance handles one request at a time. */
function fromEnvironment(): PostgresPool {
  const database = Config.database();
  if (database.kind === "postgres") return postgres(database.url, 1);
  const { endpoint, admin } = database;
  return pooled({
    host: endpoint,
    database: "postgres",
    user: admin ? "admin" : dsqlRole,
    // Called for each connection. Imported lazily, so that functions on another engine do not load it.
    password: async () => (await import("./dsql-token.ts")).dsqlToken({ endpoint, admin }),
    ssl: true,
    max: 1,
    // DSQL ends a session after an hour.
    maxLifetimeSeconds: 3000,
  });
}

function pooled(config: pg.PoolConfig, names = statementNames()): PostgresPool {
  const pool = new pg.Pool({
    connectionTimeoutMillis: 5000,
    ...config,
    types: { getTypeParser: parser as typeof pg.types.getTypeParser },
  });
  // Without a listener, the error of a connection that breaks while idle would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return withReconnect(withCallbackQueries(pool, names));
}

/** Parses int8 as bigint, because a number would lose digits, and keeps date as text, because a Date has a time zone. */
const parsers: Record<number, (value: string) => unknown> = {
  [pg.types.builtins.INT8]: (value) => BigInt(value),
  [pg.types.builtins.DATE]: (value) => value,
};

function parser(oid: number, format?: "text" | "binary") {
  return (format !== "binary" && parsers[oid]) || pg.types.getTypeParser(oid, format as "text");
}
