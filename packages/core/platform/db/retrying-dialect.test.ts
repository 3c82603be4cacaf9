import { setImmediate } from "node:timers/promises";
import { Kysely, type PostgresPool, type PostgresPoolClient, sql } from "kysely";
import { afterEach, describe, expect, it, vi } from "vitest";
import { maxAttempts } from "./conflict.ts";
import { RetryingDialect } from "./retrying-dialect.ts";

afterEach(() => vi.restoreAllMocks());

/** A database of one connection on which each statement fails with a write conflict while `conflicts` says so. */
function database(conflicts: (statement: string, attempt: number) => boolean) {
  const log: string[] = [];
  const query = async (statement: string) => {
    await setImmediate();
    log.push(statement);
    if (conflicts(statement, log.filter((logged) => logged === statement).length))
      throw Object.assign(new Error("write conflict"), { severity: "ERROR", code: "40001" });
    return { command: statement.toUpperCase(), rowCount: 1, rows: [] };
  };
  const client = { query, release() {} } as unknown as PostgresPoolClient;
  const pool: PostgresPool = { options: {}, end: async () => {}, connect: async () => client };
  vi.spyOn(Math, "random").mockReturnValue(0);
  return { db: new Kysely<unknown>({ dialect: new RetryingDialect(pool) }), log };
}

const update = "update a set b = 1";

describe("a statement outside a transaction", () => {
  it("is retried until it meets no write conflict", async () => {
    const { db, log } = database((_, attempt) => attempt <= 2);
    await sql.raw(update).execute(db);
    expect(log).toEqual(Array(3).fill(update));
  });

  it("fails with `database_conflict` and a retry delay after the last attempt", async () => {
    const { db, log } = database(() => true);
    await expect(sql.raw(update).execute(db)).rejects.toMatchObject({
      kind: "unavailable",
      code: "database_conflict",
      details: { retryAfterSeconds: 1 },
    });
    expect(log).toHaveLength(maxAttempts);
  });
});

describe("a statement inside a transaction", () => {
  it("is not retried", async () => {
    const { db, log } = database((statement, attempt) => statement === update && attempt === 1);
    await expect(db.transaction().execute((tx) => sql.raw(update).execute(tx))).rejects.toThrow(
      "write conflict",
    );
    expect(log).toEqual(["begin", update, "rollback"]);
  });

  it("is not retried when a savepoint has been rolled back before it", async () => {
    const { db, log } = database((statement, attempt) => statement === update && attempt === 1);
    const run = db.startTransaction().execute();
    const tx = await (await run).savepoint("s").execute();
    await tx.rollbackToSavepoint("s").execute();
    await expect(sql.raw(update).execute(tx)).rejects.toThrow("write conflict");
    await tx.rollback().execute();
    expect(log.filter((statement) => statement === update)).toHaveLength(1);
  });

  it("is not retried when it is the commit", async () => {
    const { db, log } = database((statement) => statement === "commit");
    await expect(db.transaction().execute((tx) => sql.raw(update).execute(tx))).rejects.toThrow(
      "write conflict",
    );
    expect(log).toEqual(["begin", update, "commit", "rollback"]);
  });
});

describe("a statement on the same connection after a transaction", () => {
  const conflictLater = "update a set b = 2";

  it.each([
    ["committed", async () => {}],
    ["rolled back", () => Promise.reject(new Error("rolled back"))],
  ])("is retried when the transaction was %s", async (_, work) => {
    const { db, log } = database((statement, attempt) => statement === conflictLater && attempt === 1);
    await db.connection().execute(async (connection) => {
      await connection
        .transaction()
        .execute(work)
        .catch(() => undefined);
      log.length = 0;
      await sql.raw(conflictLater).execute(connection);
    });
    expect(log).toEqual(Array(2).fill(conflictLater));
  });

  it("is retried when the transaction could not begin", async () => {
    let down = true;
    const { db, log } = database(
      (statement, attempt) => (statement === "begin" && down) || (statement === update && attempt === 1),
    );
    await expect(db.transaction().execute(async () => {})).rejects.toMatchObject({
      code: "database_conflict",
    });
    down = false;
    log.length = 0;
    await sql.raw(update).execute(db);
    expect(log).toEqual(Array(2).fill(update));
  });
});
