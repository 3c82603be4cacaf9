import type { PostgresPool } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import { likeDsql, lint, linterExists, takeAdded, takeRefused, unlimited } from "./dsql.ts";

/** Returns a connection to a database that accepts everything, and says that each statement wrote `rows` rows. */
async function connection(rows = 1) {
  const query = async () => ({ command: "", rowCount: rows, rows: [] });
  const client = { query, release() {} };
  const pool = { options: {}, connect: async () => client, end: async () => {} } as unknown as PostgresPool;
  const limited = await likeDsql(pool).connect();
  return async (...statements: (string | [string, readonly unknown[]])[]) => {
    for (const statement of statements) {
      const [sql, parameters] = typeof statement === "string" ? [statement, []] : statement;
      await limited.query(sql, [...parameters]);
    }
  };
}
const unsupported = { code: "0A000" };
const tooLarge = { code: "54000" };
const megabyte = "x".repeat(1024 * 1024);

afterEach(() => {
  takeRefused();
  takeAdded();
});

describe("likeDsql", () => {
  it("refuses more than 3,000 rows in a transaction, and in a single statement", async () => {
    const run = await connection(1500);
    const update = "UPDATE a SET b = 1";
    await run("begin", update, update, "SELECT 1", "commit", "begin", update, update, "rollback");
    await expect(run("begin", update, update, update)).rejects.toMatchObject(tooLarge);
    await expect((await connection(3001))(update)).rejects.toMatchObject(tooLarge);
    await (await connection(3001))("SELECT 1");
  });

  it("refuses more than 10 MiB of parameters in a transaction", async () => {
    const run = await connection();
    const insert: [string, unknown[]] = ["INSERT INTO a (b) VALUES ($1)", [megabyte]];
    const ten = Array<typeof insert>(10).fill(insert);
    await run("begin", ...ten, "commit", ...ten);
    await expect(run("begin", ...ten, insert)).rejects.toMatchObject(tooLarge);
  });

  it("refuses a definition beside a write or another definition in a transaction", async () => {
    const run = await connection();
    const [define, write] = ["CREATE TABLE a (b text)", "INSERT INTO a (b) VALUES ('c')"];
    await run(define, define, write, "begin", define, "commit", "begin", write, "commit");
    for (const both of [
      [define, define],
      [define, write],
      [write, define],
    ])
      await expect(run("begin", ...both)).rejects.toMatchObject(unsupported);
  });

  it("refuses what Aurora DSQL does not support before it reaches the database, and remembers it", async () => {
    const run = await connection();
    await expect(run("TRUNCATE a")).rejects.toMatchObject(unsupported);
    expect(takeRefused()).toEqual([expect.stringContaining("TruncateStmt")]);
    expect(takeRefused()).toEqual([]);
  });

  it("collects each statement once, and neither refuses nor collects within `unlimited`", async () => {
    const run = await connection(5000);
    const sql = `SELECT ${Date.now()}`;
    await run(sql, sql);
    await unlimited(() => run("TRUNCATE b", "UPDATE a SET b = 1"));
    expect(takeAdded()).toEqual([sql]);
    expect(takeRefused()).toEqual([]);
  });
});

describe.skipIf(!linterExists)("lint", () => {
  it("returns what the linter finds, and counts statements as one that differ in the lengths of lists", () => {
    expect(lint(["TRUNCATE a", "SELECT 1 FROM a WHERE b IN ($1, $2)"])).toEqual([
      expect.stringContaining("TRUNCATE is not supported"),
    ]);
    const create = (list: string) => `CREATE INDEX a ON b (c) WHERE d IN (${list})`;
    expect(lint([create("$1"), create("$1, $2")])).toHaveLength(1);
  });
});
