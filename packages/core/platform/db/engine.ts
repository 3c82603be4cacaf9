import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from "kysely";
import pg from "pg";
import * as Config from "../config/config.ts";
import { byCallback, persistent, reachable, revived } from "./pool.ts";
import type { Schema } from "./schema.ts";

export type Tx = Transaction<Schema>;

/** What reads rows: the database itself, or the transaction that the reader is part of. */
export type Reader = Kysely<Schema>;

/** Name of the role and of the schema on Aurora DSQL: `"$user"` in the search path finds one by the other. */
export const dsqlRole = "svc";

let current: Kysely<Schema> | undefined;

/** The database of this process. Without connect() it is the one that the environment names. */
export function db(): Kysely<Schema> {
  current ??= kysely(fromEnvironment());
  return current;
}

/** Make this pool the database of the process: PGlite, or PostgreSQL with more than one connection. */
export function connect(pool: PostgresPool): void {
  current = kysely(pool);
}

/** End the connections. The next call of db() starts from the environment again. */
export async function close(): Promise<void> {
  const closing = current;
  current = undefined;
  await closing?.destroy();
}

/**
 * A pool of PostgreSQL connections. Repeatable read is the default of every transaction, since it is all that Aurora
 * DSQL has: a lost race is SQLSTATE 40001 on every engine.
 */
export function postgres(url: string, max: number): PostgresPool {
  return pooled({
    connectionString: url,
    max,
    // 32 MB: a report's groups are added up in memory, where the default would sort their rows on disk.
    options: "-c default_transaction_isolation=repeatable\\ read -c statement_timeout=20000 -c work_mem=32MB",
  });
}

function kysely(pool: PostgresPool): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: reachable(persistent(pool)) }) });
}

/** One connection: a Lambda instance answers one request at a time. */
function fromEnvironment(): PostgresPool {
  const database = Config.database();
  if (database.kind === "postgres") return postgres(database.url, 1);
  const { endpoint, admin } = database;
  return pooled({
    host: endpoint,
    database: "postgres",
    user: admin ? "admin" : dsqlRole,
    // Asked for at each connect; imported here so that no function on another engine carries it.
    password: async () => (await import("./dsql-token.ts")).dsqlToken({ endpoint, admin }),
    ssl: true,
    max: 1,
    // DSQL ends a session after an hour.
    maxLifetimeSeconds: 3000,
  });
}

function pooled(config: pg.PoolConfig): PostgresPool {
  const pool = new pg.Pool({
    connectionTimeoutMillis: 5000,
    ...config,
    types: { getTypeParser: parser as typeof pg.types.getTypeParser },
  });
  // A connection that breaks while idle is replaced at the next use; unheard, it would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return revived(byCallback(pool));
}

/** int8 as bigint, since a number would lose digits; date as the string it is, since a Date would move with the zone. */
const parsers: Record<number, (value: string) => unknown> = {
  [pg.types.builtins.INT8]: (value) => BigInt(value),
  [pg.types.builtins.DATE]: (value) => value,
};

function parser(oid: number, format?: "text" | "binary") {
  return (format !== "binary" && parsers[oid]) || pg.types.getTypeParser(oid, format as "text");
}
