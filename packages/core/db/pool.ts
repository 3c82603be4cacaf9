import type { PostgresPool, PostgresPoolClient } from "kysely";
import { Fault } from "../fault.ts";
import { won } from "./lost-race.ts";
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

/** The same pool, but an unreachable database is a Fault (503) instead of whatever its driver threw. */
export function reachable(pool: PostgresPool): PostgresPool {
  const guard = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw translated(error);
    }
  };
  return {
    async connect() {
      const client = await guard(pool.connect());
      return {
        query: (sql: string, parameters: readonly unknown[]) => guard(client.query(sql, parameters)),
        release: (broken?: boolean) => client.release(broken),
      } as PostgresPoolClient;
    },
    end: () => pool.end(),
    options: pool.options,
  };
}

/**
 * The same pool, but a statement outside of a transaction, which is a transaction of its own, is run again when it loses a
 * race. Inside of one nothing is: there the whole transaction has to.
 */
export function persistent(pool: PostgresPool): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect();
      let open = false;
      return {
        query(sql: string, parameters: readonly unknown[]) {
          if (/^(?:begin|start transaction)/i.test(sql)) open = true;
          if (/^(?:commit|rollback)$/i.test(sql)) open = false;
          else if (!open) return won(() => client.query(sql, parameters));
          return client.query(sql, parameters);
        },
        release: (broken?: boolean) => client.release(broken),
      } as PostgresPoolClient;
    },
    end: () => pool.end(),
    options: pool.options,
  };
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

  return {
    async connect() {
      const client = await connect(true);
      return {
        query: (sql: string, parameters: readonly unknown[]) => client.query(sql, parameters),
        release: (broken?: boolean) => {
          usedAt.set(client, now());
          client.release(broken);
        },
      } as PostgresPoolClient;
    },
    end: () => pool.end(),
    options: pool.options,
  };
}
