import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { testPool } from "../../testing/database.ts";
import { unlimited } from "../../testing/dsql.ts";
import { maxAttempts } from "./conflict.ts";
import { close, connect, db } from "./engine.ts";
import { migrate } from "./migrate.ts";
import { afterCommit, transaction, violates } from "./transaction.ts";

const writeConflict = () => Object.assign(new Error("write conflict"), { severity: "ERROR", code: "40001" });
const counter = (subject: string) => ({
  subject,
  window_started_at: new Date(0),
  calls: 1,
  expires_at: Clock.now(),
});
const noWait = { wait: async () => {} };

describe("transaction", () => {
  it("saves none of its rows when the work throws", async () => {
    const failed = transaction(async (tx) => {
      await tx.insertInto("rate_counters").values(counter("half")).execute();
      throw new Error("half-way");
    });
    await expect(failed).rejects.toThrow("half-way");
    expect(
      await db().selectFrom("rate_counters").selectAll().where("subject", "=", "half").execute(),
    ).toEqual([]);
  });

  it("runs the whole work again after a write conflict, with growing delays", async () => {
    const waits: number[] = [];
    let runs = 0;
    const result = await transaction(
      async () => {
        if (++runs < 4) throw writeConflict();
        return "committed";
      },
      { wait: async (ms) => waits.push(ms), random: () => 1 },
    );
    expect([result, runs, waits]).toEqual(["committed", 4, [20, 40, 80]]);
  });

  it("throws database_conflict with a retry delay when every attempt meets a conflict", async () => {
    let runs = 0;
    const never = transaction(async () => {
      runs++;
      throw writeConflict();
    }, noWait);
    await expect(never).rejects.toMatchObject({
      kind: "unavailable",
      code: "database_conflict",
      details: { retryAfterSeconds: 1 },
    });
    expect(runs).toBe(maxAttempts);
  });

  it("runs at repeatable read on every engine", async () => {
    const show = sql<{ transaction_isolation: string }>`SHOW transaction_isolation`;
    const { rows } = await transaction((tx) => unlimited(() => show.execute(tx)));
    expect(rows[0]?.transaction_isolation).toBe("repeatable read");
  });

  it("throws commit_unknown when the connection breaks during the commit, database_unavailable before it", async () => {
    const pool = testPool();
    const breakAt = (statement: string) => ({
      ...pool,
      async connect() {
        const client = await pool.connect();
        return {
          ...client,
          release: () => client.release(),
          query: async (text: string, parameters: readonly unknown[]) => {
            const result = await client.query(text, parameters as unknown[]);
            if (text.startsWith(statement)) throw new Error("Connection terminated unexpectedly");
            return result;
          },
        } as unknown as Awaited<ReturnType<typeof pool.connect>>;
      },
      end: async () => {},
    });
    const add = (subject: string) =>
      transaction((tx) => tx.insertInto("rate_counters").values(counter(subject)).execute());
    const codeOf = (attempt: Promise<unknown>) =>
      attempt.then(
        () => "saved",
        (error) => error instanceof Fault && error.code,
      );

    connect(breakAt("insert"));
    expect(await codeOf(add("before"))).toBe("database_unavailable");
    await close();
    connect(breakAt("commit"));
    expect(await codeOf(add("while"))).toBe("commit_unknown");
    connect(pool);
    const rows = await db()
      .selectFrom("rate_counters")
      .select("subject")
      .where("subject", "in", ["before", "while"])
      .execute();
    expect(rows).toEqual([{ subject: "while" }]);
  });
});

describe("afterCommit", () => {
  it("runs after-commit hooks once, only after the commit, and ignores their failures", async () => {
    const done: string[] = [];
    let runs = 0;
    const result = await transaction(async (tx) => {
      const attempt = ++runs;
      afterCommit(tx, async () => done.push(`after attempt ${attempt}`));
      afterCommit(tx, () => Promise.reject(new Error("hook failed")));
      done.push(`attempt ${attempt}`);
      if (attempt === 1) throw writeConflict();
      return "committed";
    }, noWait);
    expect([result, done]).toEqual(["committed", ["attempt 1", "attempt 2", "after attempt 2"]]);

    await transaction(async (tx) => {
      afterCommit(tx, async () => done.push("never"));
      throw new Error("half-way");
    }).catch(() => undefined);
    expect(done).not.toContain("never");
  });
});

describe("violates", () => {
  it("recognizes the unique index that rejected a row by its name", async () => {
    const add = () => db().insertInto("rate_counters").values(counter("twice")).execute();
    await add();
    const error = await add().then(
      () => undefined,
      (cause) => cause,
    );
    expect(violates(error, "rate_counters_pkey")).toBe(true);
    expect(violates(error, "users_email_key")).toBe(false);
  });
});

describe("db", () => {
  it("reads int8 as bigint, date as text and jsonb as parsed JSON", async () => {
    const { rows } =
      await sql`SELECT 9007199254740993::int8 AS big, '2026-03-29'::date AS day, '{"a":1}'::jsonb AS json`.execute(
        db(),
      );
    expect(rows).toEqual([{ big: 9007199254740993n, day: "2026-03-29", json: { a: 1 } }]);
  });
});

describe("migrate", () => {
  it("applies nothing when every migration has been applied", async () => {
    expect(await migrate()).toEqual([]);
  });
});
