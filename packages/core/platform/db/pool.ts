import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";
import { Fault } from "../../base/fault.ts";
import { sqlState } from "./sql-state.ts";
import type { StatementNames } from "./statement-names.ts";

type Query = (sql: string, parameters: readonly unknown[]) => Promise<unknown>;

/**
 * Returns a pool whose connections are wrapped by `wrap`. Each connection is wrapped once, so that Kysely, which keeps data
 * per connection object, does not see a new one at every use. Without this, with promises instead of callbacks
 * (`withCallbackQueries`) and with V8's allocation-site pretenuring, the p99 latency of GET /auth/me under 70 % load was 27
 * times its median instead of 6 times (`npm run bench -- load`).
 */
export function wrapConnections<Client extends { release(broken?: boolean): void }>(
  pool: { connect(): Promise<Client>; end(): Promise<void>; options: PostgresPool["options"] },
  wrap: (client: Client) => { query: Query; release?: (broken?: boolean) => void },
  connect: () => Promise<Client> = () => pool.connect(),
): PostgresPool {
  const wrappers = new WeakMap<Client, PostgresPoolClient>();
  return {
    async connect() {
      const client = await connect();
      const known = wrappers.get(client);
      if (known) return known;
      const release = (broken?: boolean) => client.release(broken);
      const wrapper = { release, ...wrap(client) } as PostgresPoolClient;
      wrappers.set(client, wrapper);
      return wrapper;
    },
    end: () => pool.end(),
    options: pool.options,
  };
}

/**
 * Adapts pg's pool, names its statements, and queries it with callbacks. The promises that pg makes itself keep about a kilobyte
 * per statement until the next full garbage collection; see `wrapConnections` for the measured effect.
 */
export function withCallbackQueries(pool: pg.Pool, names: StatementNames): PostgresPool {
  return wrapConnections(pool, (client: pg.PoolClient) => ({
    async query(sql, parameters) {
      const name = names.of(sql, parameters);
      const statement = { text: sql, values: [...parameters], ...(name !== undefined && { name }) };
      try {
        return await new Promise((resolve, reject) =>
          client.query(statement, (error, result) => (error ? reject(error) : resolve(result))),
        );
      } catch (error) {
        if (name !== undefined) names.failed(sql, name, error);
        // pg created the error in its socket handler. Point its stack at the caller instead.
        Error.captureStackTrace(error as Error);
        throw error;
      }
    },
  }));
}

/** Returns a pool that throws `unavailable` `database_unavailable` when the server cannot be reached. */
export function withUnavailableFaults(pool: PostgresPool): PostgresPool {
  const translate = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw isUnavailable(error) ? unavailable(error) : error;
    }
  };
  return wrapConnections(
    pool,
    (client) => ({ query: (sql, parameters) => translate(client.query(sql, parameters)) }),
    () => translate(pool.connect()),
  );
}

/**
 * SQLSTATE classes 08 (connection exception) and 53 (insufficient resources), and 57P0x (server shutting down). An error
 * without a SQLSTATE comes from the driver: the connection broke or was never established.
 */
function isUnavailable(error: unknown): boolean {
  return !(error instanceof Fault) && /^(?:$|08|53|57P0)/.test(sqlState(error) ?? "");
}

function unavailable(cause: unknown): Fault {
  return new Fault(
    "unavailable",
    "database_unavailable",
    "The database cannot be reached. Try again in a moment.",
    { cause, retryAfterSeconds: 2 },
  );
}

/**
 * How long a connection may be idle before it is checked again. While a Lambda function is frozen, its connections can
 * break without the process being notified.
 */
export const trustedIdleMs = 5000;

/**
 * Returns a pool that checks a connection with `SELECT 1` when it has been idle for longer than `trustedIdleMs`, replaces it
 * when it is dead, and retries a failed connection once.
 */
export function withReconnect(pool: PostgresPool, now: () => number = () => performance.now()): PostgresPool {
  const usedAt = new WeakMap<PostgresPoolClient, number>();

  async function connect(retry: boolean): Promise<PostgresPoolClient> {
    let client: PostgresPoolClient | undefined;
    try {
      client = await pool.connect();
      const idleMs = now() - (usedAt.get(client) ?? now());
      if (idleMs > trustedIdleMs) await client.query("SELECT 1", []);
      return client;
    } catch (error) {
      client?.release(true);
      if (!retry) throw error;
      return connect(false);
    }
  }

  const wrap = (client: PostgresPoolClient) => ({
    query: (sql: string, parameters: readonly unknown[]) => client.query(sql, parameters),
    release: (broken?: boolean) => {
      usedAt.set(client, now());
      client.release(broken);
    },
  });
  return wrapConnections(pool, wrap, () => connect(true));
}
