import type { PostgresPool, PostgresPoolClient } from "kysely";
import { Fault } from "../fault.ts";

/** SQLSTATE of an error that the server itself reported; undefined when the connection broke or never stood. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && "severity" in error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

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
        release: () => client.release(),
      } as PostgresPoolClient;
    },
    end: () => pool.end(),
    options: pool.options,
  };
}
