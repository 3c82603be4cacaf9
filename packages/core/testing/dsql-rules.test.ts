import { describe, expect, it } from "vitest";
import { examine, insertsOf } from "./dsql-rules.ts";

describe("examine", () => {
  it.each([
    "TRUNCATE a",
    "LISTEN a",
    "NOTIFY a",
    "LOCK TABLE a",
    "VACUUM a",
    "SAVEPOINT a",
    "ROLLBACK TO SAVEPOINT a",
    "BEGIN ISOLATION LEVEL SERIALIZABLE",
    "SET TRANSACTION READ ONLY",
    "SET LOCAL work_mem = '64MB'",
    "CREATE SEQUENCE a",
    "CREATE TRIGGER a AFTER INSERT ON b EXECUTE FUNCTION c()",
    "CREATE EXTENSION citext",
    "CREATE TYPE a AS ENUM ('b')",
    "CREATE TEMP TABLE a (b text)",
    "CREATE TABLE a AS SELECT 1",
    "CREATE MATERIALIZED VIEW a AS SELECT 1",
    "CREATE TABLE a (b text REFERENCES c (d))",
    "CREATE INDEX a ON b (c)",
    "CREATE INDEX ASYNC a ON b USING gin (c)",
    "CREATE INDEX ASYNC a ON b (c1, c2, c3, c4, c5, c6, c7, c8, c9)",
    "ALTER TABLE a ADD COLUMN b text NOT NULL",
    "MERGE INTO a USING b ON a.c = b.c WHEN MATCHED THEN DELETE",
    "SELECT 1 FROM a TABLESAMPLE SYSTEM (1)",
    'SELECT b COLLATE "C" FROM a',
    "SELECT to_tsvector('english', b) FROM a",
    "SELECT pg_advisory_lock(1)",
    "SELECT uuidv7()",
    "SELECT $1::tsvector",
    "SELECT a ~ 'b' FROM c",
    "SELECT 1 FROM a FOR SHARE",
    "SELECT 1 FROM a FOR UPDATE SKIP LOCKED",
    "SELECT 1 FROM a FOR UPDATE NOWAIT",
    "SELECT 1 FROM a LEFT JOIN LATERAL (SELECT a.b) AS c ON true",
    "SELECT 1 FROM a LEFT JOIN jsonb_array_elements_text(a.tags) AS tag(name) ON true",
    "UPDATE a SET b = 1 RETURNING WITH (OLD AS before) before.b",
    "SELECT 1; SELECT 2",
    "not SQL",
  ])("refuses %s", (sql) => {
    expect(examine(sql).violations).not.toEqual([]);
  });

  it.each([
    ["read", "SELECT count(*) FILTER (WHERE b) FROM a GROUP BY c ORDER BY c DESC NULLS LAST LIMIT 1"],
    ["read", "SELECT 1 FROM a WHERE b = $1 FOR UPDATE"],
    ["read", "SELECT 1 FROM a CROSS JOIN LATERAL jsonb_array_elements_text(a.tags) AS tag(name)"],
    ["read", "SELECT width_bucket(a, $1::timestamptz[]) FROM b WHERE tags @> $2::jsonb"],
    ["write", "INSERT INTO a (b) VALUES ($1) ON CONFLICT (b) DO UPDATE SET c = excluded.c RETURNING d"],
    ["write", "WITH moved AS (DELETE FROM a RETURNING b) SELECT b FROM moved"],
    ["define", "CREATE UNIQUE INDEX ASYNC a ON b (c) WHERE d IS NULL"],
    ["define", "CREATE TABLE a (b jsonb NOT NULL, c numeric(8, 5) DEFAULT 0, PRIMARY KEY (b))"],
    ["begin", "start transaction isolation level repeatable read"],
    ["end", "commit"],
    ["end", "rollback"],
  ])("accepts as %s: %s", (effect, sql) => {
    expect(examine(sql)).toEqual({ effect, violations: [] });
  });
});

describe("insertsOf", () => {
  it("returns the tables and columns of each INSERT, also inside WITH", () => {
    const sql =
      "WITH x AS (INSERT INTO a (b, c) VALUES (1, 2) RETURNING b) INSERT INTO d (e) SELECT b FROM x";
    expect(insertsOf(sql)).toEqual(
      expect.arrayContaining([
        { table: "a", columns: ["b", "c"] },
        { table: "d", columns: ["e"] },
      ]),
    );
  });
});
