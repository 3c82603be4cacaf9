import { describe, expect, it } from "vitest";
import { lint, linterExists } from "../../testing/dsql.ts";
import { examine } from "../../testing/dsql-rules.ts";
import { createIndex } from "./migrate.ts";
import { migrations } from "./migrations.ts";

/** Returns the reasons why a statement is not allowed as a migration; empty if it is allowed. */
function violationsOf(sql: string): string[] {
  const { effect, violations } = examine(createIndex(sql, "ASYNC"));
  const found = [...violations];
  // The statements of the previous release work without an index.
  if (/^DROP INDEX IF EXISTS \w+$/.test(sql)) return found;
  if (effect === "define" && !/\bIF NOT EXISTS\b/.test(sql)) found.push("not idempotent");
  if (effect === "define" && /^\s*DROP\b/.test(sql)) found.push("migrations only add");
  if (effect !== "define" && effect !== "write") found.push("neither a definition nor a write");
  return found;
}

describe("migrations", () => {
  it.each(migrations.map(({ id, sql }) => [id, sql]))("%s uses only the Aurora DSQL subset", (_, sql) => {
    expect(violationsOf(sql)).toEqual([]);
  });

  it("has unique ids in ascending order", () => {
    const ids = migrations.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  it("gives no table more than the 24 indexes that Aurora DSQL allows", () => {
    const tables = migrations.flatMap(({ sql }) => /\bINDEX\b.*?\bON (\w+)/s.exec(sql)?.[1] ?? []);
    expect(tables.length).toBeGreaterThan(50);
    for (const table of tables) expect(tables.filter((other) => other === table).length).toBeLessThan(24);
  });

  it.skipIf(!linterExists)("passes AWS's linter for Aurora DSQL", () => {
    expect(lint(["CREATE INDEX a ON b (c)"])).toEqual([expect.stringContaining("without ASYNC")]);
    expect(lint(migrations.map(({ sql }) => createIndex(sql, "ASYNC")))).toEqual([]);
  });
});

describe("a migration", () => {
  it.each([
    "CREATE TABLE a (b text)",
    "CREATE TABLE IF NOT EXISTS a (b citext)",
    "CREATE TABLE IF NOT EXISTS a (b inet)",
    "CREATE TABLE IF NOT EXISTS a (b text[])",
    "CREATE TABLE IF NOT EXISTS a (b tsvector)",
    "CREATE TABLE IF NOT EXISTS a (b numeric)",
    "CREATE TABLE IF NOT EXISTS a (b text GENERATED ALWAYS AS ('x') STORED)",
    "CREATE TABLE IF NOT EXISTS a (b text REFERENCES c (d))",
    "CREATE TABLE IF NOT EXISTS a (b text, EXCLUDE (b WITH =))",
    "CREATE TEMP TABLE IF NOT EXISTS a (b text)",
    "CREATE TABLE IF NOT EXISTS a (b text) PARTITION BY HASH (b)",
    "CREATE INDEX a ON b (c)",
    "CREATE INDEX IF NOT EXISTS a ON b (c DESC)",
    "CREATE INDEX IF NOT EXISTS a ON b USING gin (c)",
    "ALTER TABLE a ADD COLUMN b text",
    "ALTER TABLE a ADD COLUMN IF NOT EXISTS b text NOT NULL",
    "ALTER TABLE a ADD COLUMN IF NOT EXISTS b text DEFAULT ''",
    "ALTER TABLE a ALTER COLUMN b TYPE text",
    "TRUNCATE a",
    "CREATE EXTENSION citext",
    "CREATE TYPE a AS ENUM ('b')",
    "SELECT pg_advisory_lock(1)",
    "CREATE TABLE IF NOT EXISTS a (b text); CREATE TABLE IF NOT EXISTS c (d text)",
  ])("is rejected if it contains %s", (sql) => {
    expect(violationsOf(sql)).not.toEqual([]);
  });
});

describe("createIndex", () => {
  it("adds the option to CREATE INDEX and leaves other statements unchanged", () => {
    expect(createIndex("CREATE INDEX IF NOT EXISTS a ON b (c)", "ASYNC")).toBe(
      "CREATE INDEX ASYNC IF NOT EXISTS a ON b (c)",
    );
    expect(createIndex("  CREATE UNIQUE INDEX IF NOT EXISTS a ON b (c)", "CONCURRENTLY")).toBe(
      "CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS a ON b (c)",
    );
    const table = "CREATE TABLE IF NOT EXISTS a (b text)";
    expect(createIndex(table, "ASYNC")).toBe(table);
  });
});
