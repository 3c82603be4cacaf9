import type { PostgresPool, PostgresPoolClient } from "kysely";
import { wrapConnections } from "../platform/db/pool.ts";

/** A pool that counts how often its user waits for the database. `end` leaves the underlying pool open. */
export type Counted = PostgresPool & { roundTrips: () => number };

/**
 * Counts the statements on a pool, including BEGIN and COMMIT. Each is a round trip, also when several are sent at once, because a
 * function has one connection.
 */
export function countingRoundTrips(pool: PostgresPool): Counted {
  let roundTrips = 0;
  const counted = wrapConnections(
    pool as Parameters<typeof wrapConnections<PostgresPoolClient>>[0],
    (client) => ({
      query(sql, parameters) {
        roundTrips++;
        return client.query(sql, [...parameters]);
      },
    }),
  );
  return { ...counted, roundTrips: () => roundTrips, end: async () => {} };
}
