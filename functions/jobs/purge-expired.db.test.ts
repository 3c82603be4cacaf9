import { firstId } from "@svc/core/base/id";
import { connect, db, type Tx } from "@svc/core/platform/db/engine";
import type { Schema } from "@svc/core/platform/db/schema";
import { beforeStatements, testPool } from "@svc/core/testing/database";
import { unlimited } from "@svc/core/testing/dsql";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { handler as purge } from "./purge-expired.ts";

type Statement = { text: string; parameters: readonly unknown[] };

/** One more than a transaction of Aurora DSQL may write. */
const manyRows = 3001;
const longAgo = new Date("2020-01-01");
const oldDelivery = firstId("whd", longAgo);

beforeEach(() =>
  unlimited(async () => {
    for (const table of Object.keys(expiring) as Table[]) await db().deleteFrom(table).execute();
  }),
);
afterEach(() => {
  connect(testPool());
  delete process.env.AUDIT_RETENTION_DAYS;
});

/** The tables of expired rows, with SQL expressions of `n` for columns where any value would not do. */
const expiring = {
  registrations: [{}],
  password_resets: [{}],
  email_changes: [{}],
  totp_factors: [{}],
  webauthn_challenges: [{}],
  used_challenges: [{}],
  login_failures: [{}],
  rate_counters: [{}],
  idempotent_calls: [{}],
  api_tokens: [{}],
  invitations: [{}],
  sessions: [{}, { id: "'ended_' || n", ended_at: "now() - interval '31 days'", expires_at: "now()" }],
  logins: [{}, { id: "'unknown_' || n", user_id: "''", at: "now() - interval '2 days'" }],
  webhook_deliveries: [{ id: `'${oldDelivery}' || n` }],
  webhook_attempts: [{ delivery_id: `'${oldDelivery}1'` }],
  project_guards: [{ deleted_at: "now() - interval '1 day'" }],
} satisfies Partial<Record<keyof Schema, Record<string, string>[]>>;
type Table = keyof typeof expiring;

/** Inserts many rows. Columns without an expression get any value of their type, dates one of long ago. */
async function fill(table: keyof Schema, expressions: Record<string, string>, rows = manyRows) {
  const columns = await unlimited(() =>
    sql<{ name: string; type: string }>`
    SELECT column_name AS name, data_type AS type FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name = ${table} AND is_nullable = 'NO'`.execute(db()),
  );
  const anything = columns.rows.map(({ name, type }) => [name, anyOf(type)]);
  const chosen: Record<string, string> = { ...Object.fromEntries(anything), ...expressions };
  const values = Object.values(chosen).join();
  const statement = `INSERT INTO ${table} (${Object.keys(chosen)}) SELECT ${values} FROM generate_series(1, ${rows}) n`;
  await unlimited(() => sql.raw(statement).execute(db()));
}

function anyOf(type: string): string {
  if (type.startsWith("timestamp")) return `timestamptz '${longAgo.toISOString()}'`;
  if (type === "boolean") return "false";
  if (type.startsWith("json")) return "'[]'";
  return type === "text" ? "'old_' || n" : "n";
}

async function fillExpired(rows?: number) {
  for (const [table, all] of Object.entries(expiring))
    for (const expressions of all) await fill(table as Table, expressions, rows);
}

/** Returns the plans of those deletions that no index can serve. */
function plansWithScan(statements: readonly Statement[]): Promise<string[]> {
  const explain = async (tx: Tx) => {
    await sql`SET LOCAL enable_seqscan = off`.execute(tx);
    const plans = [];
    for (const { text, parameters } of statements.filter(({ text }) => /^\s*DELETE/.test(text))) {
      const query = { sql: `EXPLAIN ${text}`, parameters };
      const { rows } = await tx.executeQuery({ ...sql``.compile(tx), ...query });
      plans.push(JSON.stringify(rows));
    }
    return plans.filter((plan) => plan.includes("Seq Scan"));
  };
  return unlimited(() => db().transaction().execute(explain));
}

async function count(table: keyof Schema): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql.table(table)}`.execute(db());
  return rows[0]?.n ?? 0;
}

/** Returns the statements that follow, as they are executed. */
function followingStatements(): Statement[] {
  const statements: Statement[] = [];
  beforeStatements((text, parameters) => statements.push({ text, parameters }));
  return statements;
}

/** Creates an error like those that the database reports. */
const databaseError = (message: string) =>
  Object.assign(new Error(message), { severity: "ERROR", code: "54000" });

/** Inserts a user who was deleted long ago. */
async function deletedUser(id: string): Promise<string> {
  const deleted = { id: `'${id}'`, email_key: `'${id}'`, deleted_at: `'${longAgo.toISOString()}'` };
  await fill("users", deleted, 1);
  return id;
}

/** Inserts a deleted user whose sign-ins and closed workspace with everything in it are still there. */
async function interruptedDeletion() {
  const id = await deletedUser("interrupted");
  const workspaceId = "closed";
  const of = { user_id: `'${id}'`, workspace_id: `'${workspaceId}'`, actor_id: `'${id}'` };
  const closed = { actor_id: of.actor_id, action: "'workspace.closed'", target_id: of.workspace_id };
  await fill("events", { id: `'closed_${id}'`, ...closed }, 1);
  await fill("logins", { user_id: of.user_id, at: "now()" });
  await fill("time_entries", { user_id: of.user_id, workspace_id: of.workspace_id, ended_at: "now()" });
  await fill("events", { workspace_id: of.workspace_id, actor_id: of.actor_id });
  await fill("projects", { id: "'project'", workspace_id: of.workspace_id }, 1);
  await fill("budget_warnings", { project_id: "'project'" });
  await fill("webhook_deliveries", { id: "'whd_zz'", workspace_id: of.workspace_id }, 1);
  await fill("webhook_attempts", { delivery_id: "'whd_zz'" });
  return id;
}

const erasedAt = async (id: string) =>
  (await db().selectFrom("users").select("erased_at").where("id", "=", id).executeTakeFirstOrThrow())
    .erased_at;

describe("purge-expired", () => {
  test("deletes any number of expired rows in transactions that Aurora DSQL accepts", async () => {
    await fillExpired();
    expect(await purge()).toEqual({
      registrations: manyRows,
      passwordResets: manyRows,
      emailChanges: manyRows,
      unconfirmedApps: manyRows,
      webauthnChallenges: 2 * manyRows,
      sessions: 2 * manyRows,
      loginFailures: manyRows,
      rateCounters: manyRows,
      idempotentCalls: manyRows,
      deliveries: manyRows,
      logins: 2 * manyRows,
      apiTokens: manyRows,
      invitations: manyRows,
      deletedAccountRows: 0,
      events: 0,
      reports: 0,
      projectGuards: manyRows,
    });
    expect(await count("webhook_attempts")).toBe(0);
  });

  test("finds expired rows by an index in every table", async () => {
    await fillExpired(10);
    const statements = followingStatements();
    await purge();
    connect(testPool());
    expect(await plansWithScan(statements)).toEqual([]);
  });

  test("purges everything else when one part fails, and fails at the end", async () => {
    await fillExpired(1);
    beforeStatements((text) => {
      if (/"registrations"/.test(text)) throw databaseError("This statement fails.");
    });
    await expect(purge()).rejects.toThrow("This statement fails.");
    connect(testPool());
    const left = await Promise.all((Object.keys(expiring) as Table[]).map(count));
    expect(left.reduce((sum, rows) => sum + rows)).toBe(1);
  });

  test("finishes a deletion that was interrupted years ago, whatever its size, and only once", async () => {
    const id = await interruptedDeletion();
    expect((await purge()).deletedAccountRows).toBeGreaterThan(3 * manyRows);
    expect(await erasedAt(id)).toBeInstanceOf(Date);
    for (const table of ["time_entries", "projects", "budget_warnings", "webhook_attempts"] as const)
      expect([table, await count(table)]).toEqual([table, 0]);
    const statements = followingStatements();
    await purge();
    expect(statements.filter(({ parameters }) => parameters.includes(id))).toEqual([]);
  });

  test("finishes other deletions when one cannot be finished", async () => {
    const [stuck, other] = [await deletedUser("stuck_1"), await deletedUser("stuck_2")];
    beforeStatements((_, parameters) => {
      if (parameters.includes(stuck)) throw databaseError("This account cannot be erased.");
    });
    await expect(purge()).rejects.toThrow("This account cannot be erased.");
    connect(testPool());
    expect([await erasedAt(stuck), await erasedAt(other)]).toEqual([null, expect.any(Date)]);
  });
});

describe("purge-expired, for audit logs", () => {
  const day = 86_400_000;
  const eventId = (ageDays: number) => `'${firstId("evt", new Date(Date.now() - ageDays * day))}' || n`;
  const idsOf = async () => (await db().selectFrom("events").select("id").execute()).map(({ id }) => id);
  beforeEach(async () => {
    await db().deleteFrom("events").execute();
  });

  test("keeps all entries without AUDIT_RETENTION_DAYS", async () => {
    await fill("events", { id: eventId(5000) }, 1);
    expect((await purge()).events).toBe(0);
    expect(await count("events")).toBe(1);
  });

  test("deletes any number of entries past AUDIT_RETENTION_DAYS by an index, and no others", async () => {
    process.env.AUDIT_RETENTION_DAYS = "400";
    await fill("events", { id: eventId(399) }, 2);
    const kept = await idsOf();
    await fill("events", { id: eventId(401) });
    const statements = followingStatements();
    expect((await purge()).events).toBe(manyRows);
    connect(testPool());
    expect(await idsOf()).toEqual(kept);
    expect(statements.filter(({ text }) => /DELETE FROM "events"/.test(text))).not.toEqual([]);
    expect(await plansWithScan(statements)).toEqual([]);
  });

  test("keeps the entry of a closed workspace until its contents are deleted", async () => {
    process.env.AUDIT_RETENTION_DAYS = "365";
    const id = await deletedUser("closing");
    const closed = { actor_id: `'${id}'`, action: "'workspace.closed'", target_id: "'gone'" };
    await fill("events", { id: eventId(500), ...closed }, 1);
    beforeStatements((text, parameters) => {
      if (parameters.includes(id) && !/DELETE/.test(text))
        throw databaseError("This account cannot be erased.");
    });
    await expect(purge()).rejects.toThrow("This account cannot be erased.");
    connect(testPool());
    expect(await count("events")).toBe(1);
    expect((await purge()).events).toBe(1);
  });
});
