import type { PostgresPool } from "kysely";
import { wrapConnections } from "../platform/db/pool.ts";

/** The error that PostgreSQL and Aurora DSQL report for a write conflict. */
function writeConflict(): Error {
  return Object.assign(new Error("could not serialize access (simulated by a test)"), {
    severity: "ERROR",
    code: "40001",
  });
}

/** A pool that counts commits and makes some of them fail with a write conflict. `end` leaves the underlying pool open. */
export type Contended = PostgresPool & { commits: () => number };

/**
 * Returns a pool on which commit number n (from 1) rolls back and fails with SQLSTATE 40001 if `fails(n)`. A write outside a
 * transaction counts as a commit.
 */
export function contended(pool: PostgresPool, fails: (commit: number) => boolean): Contended {
  let commits = 0;
  const conflicting = wrapConnections(pool, (client) => {
    const query = (sql: string, parameters: readonly unknown[]) => client.query<never>(sql, parameters);
    let open = false;
    return {
      async query(sql, parameters) {
        if (/^(?:begin|start transaction)/i.test(sql)) open = true;
        const saves = open ? /^commit$/i.test(sql) : /^\s*(?:insert|update|delete|with)\b/i.test(sql);
        if (/^(?:commit|rollback)$/i.test(sql)) open = false;
        if (saves && fails(++commits)) {
          if (/^commit$/i.test(sql)) await query("rollback", []);
          throw writeConflict();
        }
        return query(sql, parameters);
      },
    };
  });
  return { ...conflicting, commits: () => commits, end: async () => {} };
}
