import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";
import { Fault } from "../../base/fault.ts";
import { retryOnConflict } from "./conflict.ts";
import { sqlState } from "./sql-state.ts";

/** Connection exceptions, resources exhausted, and a server that is shutting down: none says anything about the rows. */
const unreachable = /^(?:08|53|57P0)/;

function translated(error: unknown): unknown {
  const state = sqlState(error);
  if (error instanceof Fault || (state && !unreachable.test(state))) return error;
  return new Fault(
    "unavailable",
    "database_unavailable",
    "The database cannot be reached. Try again in a moment.",
    {
      cause: error,
      retryAfterSeconds: 2,
    },
  );
}

type Statement = (sql: string, parameters: readonly unknown[]) => Promise<unknown>;

/**
 * The same pool with each of its connections wrapped once, and met again as the same object: Kysely keeps a note by every
 * connection that it sees, and one that is new at each use would lie in its notes until the next full garbage collection.
 * `connect` is how they are got, where that is more than asking the pool.
 */
export function wrapped<Client extends { release(broken?: boolean): void }>(
  pool: { connect(): Promise<Client>; end(): Promise<void>; options: PostgresPool["options"] },
  wrap: (client: Client) => { query: Statement; release?: (broken?: boolean) => void },
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
 * pg's pool, asked by callback. What pg keeps for a promise of its own survives the young collections, about a kilobyte for
 * each statement, and a busy server would run a full one every few seconds to be rid of it.
 */
export function byCallback(pool: pg.Pool): PostgresPool {
  return wrapped(pool, (client: pg.PoolClient) => ({
    async query(sql, parameters) {
      try {
        return await new Promise((resolve, reject) =>
          client.query(sql, [...parameters], (error, result) => (error ? reject(error) : resolve(result))),
        );
      } catch (error) {
        // It was made where the answer is read: let it tell who asked.
        Error.captureStackTrace(error as Error);
        throw error;
      }
    },
  }));
}

/** The same pool, but an unreachable database is a Fault (503) instead of whatever its driver threw. */
export function reachable(pool: PostgresPool): PostgresPool {
  const guard = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw translated(error);
    }
  };
  return wrapped(
    pool,
    (client) => ({ query: (sql, parameters) => guard(client.query(sql, parameters)) }),
    () => guard(pool.connect()),
  );
}

/**
 * The same pool, but a statement outside of a transaction, which is a transaction of its own, is run again when it loses a
 * race. Inside of one nothing is: there the whole transaction has to.
 */
export function persistent(pool: PostgresPool): PostgresPool {
  return wrapped(pool, (client) => {
    let open = false;
    return {
      query(sql, parameters) {
        if (/^(?:begin|start transaction)/i.test(sql)) open = true;
        if (/^(?:commit|rollback)$/i.test(sql)) open = false;
        else if (!open) return retryOnConflict(() => client.query(sql, parameters));
        return client.query(sql, parameters);
      },
      // The next user of this connection begins anew, even when the last one's transaction never did.
      release(broken) {
        open = false;
        client.release(broken);
      },
    };
  });
}

/** A connection that lay idle for longer may have died unnoticed: a frozen Lambda function hears of nothing. */
export const trustedIdleMs = 5000;

/**
 * The same pool, but a connection that lay idle is asked whether it still stands before it is handed out, and a connect
 * that fails is tried once more. Whoever then holds a connection holds a live one.
 */
export function revived(pool: PostgresPool, now: () => number = () => performance.now()): PostgresPool {
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
  return wrapped(pool, wrap, () => connect(true));
}
