import type { PostgresPoolClient } from "kysely";
import { sql } from "kysely";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { testPool } from "../../testing/database.ts";
import { unlimited } from "../../testing/dsql.ts";
import { examine } from "../../testing/dsql-rules.ts";
import { connect, db } from "./engine.ts";
import { migrate } from "./migrate.ts";
import { wrapConnections } from "./pool.ts";

const list = [
  { id: "1-table", sql: "CREATE TABLE IF NOT EXISTS birds (name text)" },
  { id: "2-index", sql: "CREATE UNIQUE INDEX IF NOT EXISTS birds_name ON birds (name)" },
  { id: "3-column", sql: "ALTER TABLE birds ADD COLUMN IF NOT EXISTS color text" },
];
const ids = list.map(({ id }) => id);

/** The statements that reached the database. */
let statements: string[];
/** The outcome of the next index jobs: what they report, and whether the index is valid. */
let job: { succeeded: boolean; valid: boolean };

/** Connects to the test database through a pool that answers index jobs as Aurora DSQL does. */
function connectAsDsql() {
  type Pool = Parameters<typeof wrapConnections<PostgresPoolClient>>[0];
  const pool = wrapConnections(testPool() as Pool, (client) => ({
    async query(statement, parameters) {
      statements.push(statement);
      if (/^CALL sys\.wait_for_job/.test(statement))
        return { command: "CALL", rowCount: 0, rows: [{ succeeded: job.succeeded }] };
      const synchronous = statement.replace("INDEX ASYNC", "INDEX");
      const result = await unlimited(() => client.query(synchronous, [...parameters]));
      if (!/INDEX ASYNC/.test(statement)) return result;
      if (!job.valid) await unlimited(() => client.query(invalidate, []));
      return { ...result, rows: [{ job_id: "job_1" }] };
    },
  }));
  connect(pool);
}

const invalidate = "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'birds_name'::regclass";

const isValid = async () => {
  const query = sql<{ valid: boolean }>`SELECT indisvalid AS valid FROM pg_index
    WHERE indexrelid = to_regclass('birds_name')`;
  return (await query.execute(db())).rows[0]?.valid;
};

const recorded = async () => {
  const rows = await db()
    .selectFrom("migrations")
    .select("id")
    .where("id", "in", ids)
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
};

async function reset() {
  connect(testPool());
  await sql`DROP TABLE IF EXISTS birds`.execute(db());
  await db().deleteFrom("migrations").where("id", "in", ids).execute();
}
beforeEach(() => {
  statements = [];
  job = { succeeded: true, valid: true };
});
afterEach(reset);
afterAll(reset);

describe("migrate on Aurora DSQL", () => {
  it("executes only statements that Aurora DSQL supports", async () => {
    connectAsDsql();
    await migrate("dsql", list);
    expect(statements.flatMap((statement) => examine(statement).violations)).toEqual([]);
  });

  it("stops at an index whose job did not succeed, does not record it, and builds it again in the next run", async () => {
    connectAsDsql();
    job = { succeeded: false, valid: false };
    await expect(migrate("dsql", list)).rejects.toThrow("The index birds_name could not be built.");
    expect(await recorded()).toEqual(["1-table"]);

    job = { succeeded: true, valid: true };
    statements = [];
    expect(await migrate("dsql", list)).toEqual(["2-index", "3-column"]);
    expect(await isValid()).toBe(true);
    expect(statements).toContain('DROP INDEX IF EXISTS "birds_name"');
    expect(await migrate("dsql", list)).toEqual([]);
  });

  it("does not record an index that is not valid although its job reported success, nor a valid one of a failed job", async () => {
    connectAsDsql();
    for (const outcome of [
      { succeeded: true, valid: false },
      { succeeded: false, valid: true },
    ]) {
      job = outcome;
      await expect(migrate("dsql", list)).rejects.toThrow("The index birds_name could not be built.");
      expect(await recorded()).toEqual(["1-table"]);
      await sql`DROP INDEX birds_name`.execute(db());
    }
  });

  it("builds an index again that an interrupted run left unfinished", async () => {
    connectAsDsql();
    await migrate("dsql", list.slice(0, 1));
    await sql.raw("CREATE UNIQUE INDEX birds_name ON birds (name)").execute(db());
    await sql.raw(invalidate).execute(db());
    await migrate("dsql", list);
    expect([await isValid(), await recorded()]).toEqual([true, ids]);
  });

  it("builds an invalid index again that an earlier version recorded as applied", async () => {
    connectAsDsql();
    await migrate("dsql", list);
    await sql.raw(invalidate).execute(db());
    expect(await migrate("dsql", list)).toEqual(["2-index"]);
    expect(await isValid()).toBe(true);
  });
});

describe("migrate on PostgreSQL", () => {
  beforeEach(connectAsDsql);

  it("does not record an index that duplicates prevent, and builds it once they are removed", async () => {
    await migrate("postgres", list.slice(0, 1));
    await sql`INSERT INTO birds (name) VALUES ('wren'), ('wren')`.execute(db());
    await expect(migrate("postgres", list)).rejects.toThrow();
    expect([await isValid(), await recorded()]).toEqual([false, ["1-table"]]);
    await sql`DELETE FROM birds`.execute(db());
    expect(await migrate("postgres", list)).toEqual(["2-index", "3-column"]);
    expect(await isValid()).toBe(true);
  });

  it("builds indexes concurrently without a limit on time, and restores the limit", async () => {
    await migrate("postgres", list);
    const at = statements.findIndex((statement) => statement.startsWith("CREATE UNIQUE INDEX CONCURRENTLY"));
    expect(statements.slice(at - 1, at + 2)).toEqual([
      "SET statement_timeout = 0",
      "CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS birds_name ON birds (name)",
      "RESET statement_timeout",
    ]);
  });
});
