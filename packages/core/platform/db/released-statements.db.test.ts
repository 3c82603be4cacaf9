import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { unlimited } from "../../testing/dsql.ts";
import { insertsOf } from "../../testing/dsql-rules.ts";
import { db, type Tx } from "./engine.ts";
import released from "./released-statements.json" with { type: "json" };

class RolledBack extends Error {}

/** The number of planned statements. Names are not used twice, because a failed one outlives its transaction. */
let planned = 0;

/**
 * Returns why a statement of the previous release no longer works after `change`, which is rolled back; undefined if all do.
 * Each is planned, which needs its tables, columns, types and unique indexes, and no column may be required that an INSERT
 * does not write.
 */
async function failureAfter(change = "", statements: readonly string[] = released.statements) {
  let failure: string | undefined;
  const attempt = async (tx: Tx) => {
    if (change) await sql.raw(change).execute(tx);
    failure = await missingColumn(tx, statements);
    // A generic plan does not depend on the parameters, all of which are null here.
    await sql`SET LOCAL plan_cache_mode = force_generic_plan`.execute(tx);
    for (const statement of statements) failure ??= await plan(tx, statement);
    throw new RolledBack();
  };
  const rolledBack = unlimited(() => db().transaction().execute(attempt));
  await expect(rolledBack).rejects.toThrow(RolledBack);
  return failure;
}

async function plan(tx: Tx, statement: string): Promise<string | undefined> {
  const count = Math.max(0, ...[...statement.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  const nulls = count === 0 ? "" : `(${Array(count).fill("NULL").join()})`;
  const name = `released_${++planned}`;
  try {
    await sql.raw(`PREPARE ${name} AS ${statement}`).execute(tx);
    await sql.raw(`EXPLAIN EXECUTE ${name}${nulls}`).execute(tx);
    await sql.raw(`DEALLOCATE ${name}`).execute(tx);
    return undefined;
  } catch (error) {
    return `${(error as Error).message}: ${statement}`;
  }
}

/** Returns the first column that an INSERT has to write since the previous release. */
async function missingColumn(tx: Tx, statements: readonly string[]): Promise<string | undefined> {
  const { rows } = await sql<{ table: string; column: string }>`
    SELECT table_name AS table, column_name AS column FROM information_schema.columns
    WHERE table_schema = 'public' AND is_nullable = 'NO' AND column_default IS NULL`.execute(tx);
  for (const statement of statements.filter((statement) => /\binsert\b/i.test(statement)))
    for (const { table, columns } of insertsOf(statement)) {
      const missing = rows.find((row) => row.table === table && !columns.includes(row.column));
      if (missing) return `column "${missing.column}" of "${table}" is required: ${statement}`;
    }
  return undefined;
}

describe(`the statements of release ${released.release}`, () => {
  it("work on today's schema", async () => {
    expect(await failureAfter()).toBeUndefined();
  });

  /** Plans only the statements of one table, because planning all of them takes a second. */
  const failureOn = (table: string, change: string) =>
    failureAfter(
      `ALTER TABLE ${table} ${change}`,
      released.statements.filter((statement) => statement.includes(table)),
    );

  it.each([
    ["projects", "DROP COLUMN color", 'column "color"'],
    ["projects", "RENAME COLUMN last_tracked_at TO tracked_at", 'column "last_tracked_at"'],
    ["projects", "RENAME TO jobs", 'relation "projects"'],
    ["projects", "ADD COLUMN owner_id text NOT NULL", 'column "owner_id" of "projects" is required'],
    ["time_entries", "ALTER COLUMN billable TYPE text", "must be type boolean"],
    ["rates", "DROP CONSTRAINT rates_pkey", "ON CONFLICT"],
  ])("fail after a change of %s: %s", async (table, change, failure) => {
    expect(await failureOn(table, change)).toContain(failure);
  });
});
