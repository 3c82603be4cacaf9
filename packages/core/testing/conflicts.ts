import type { PostgresPool } from "kysely";
import { wrapped } from "../platform/db/pool.ts";

/** What PostgreSQL reports to a transaction that met another one, and Aurora DSQL to every one that did. */
function lostRace(): Error {
  return Object.assign(new Error("could not serialize access (a test asked for it)"), {
    severity: "ERROR",
    code: "40001",
  });
}

/** A pool that counts what is committed and lets some of it lose the race. `end` does not close what lies under it. */
export type Contended = PostgresPool & { commits: () => number };

/**
 * The same pool, but commit number n (from 1) fails with SQLSTATE 40001 and undoes its transaction when `fails(n)` says
 * so. A statement that writes outside of a transaction counts as a commit of its own.
 */
export function contended(pool: PostgresPool, fails: (commit: number) => boolean): Contended {
  let commits = 0;
  const losing = wrapped(pool, (client) => {
    const query = (sql: string, parameters: readonly unknown[]) => client.query<never>(sql, parameters);
    let open = false;
    return {
      async query(sql, parameters) {
        if (/^(?:begin|start transaction)/i.test(sql)) open = true;
        const saves = open ? /^commit$/i.test(sql) : /^\s*(?:insert|update|delete|with)\b/i.test(sql);
        if (/^(?:commit|rollback)$/i.test(sql)) open = false;
        if (saves && fails(++commits)) {
          if (/^commit$/i.test(sql)) await query("rollback", []);
          throw lostRace();
        }
        return query(sql, parameters);
      },
    };
  });
  return { ...losing, commits: () => commits, end: async () => {} };
}
