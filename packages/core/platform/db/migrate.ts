import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import * as Clock from "../../base/clock.ts";
import * as Config from "../config/config.ts";
import { db, dsqlRole } from "./engine.ts";
import { type Migration, migrations } from "./migrations.ts";

/** How long the migrator of a new deployment waits for the permission to connect. */
const connectTimeoutSeconds = 60;

export type Dialect = "postgres" | "dsql";

const createLedger = `CREATE TABLE IF NOT EXISTS migrations (id text PRIMARY KEY, applied_at timestamptz NOT NULL)`;

/**
 * Applies the migrations that the ledger table does not contain and returns their ids. Each statement runs separately and is
 * then recorded, so an interrupted run can be repeated.
 */
export async function migrate(
  dialect: Dialect = "postgres",
  list: readonly Migration[] = migrations,
): Promise<string[]> {
  await sql.raw(createLedger).execute(db());
  const applied = new Set((await db().selectFrom("migrations").select("id").execute()).map((row) => row.id));
  const newlyApplied = [];
  for (const migration of list) {
    if (applied.has(migration.id)) continue;
    await apply(migration.sql, dialect);
    await db().insertInto("migrations").values({ id: migration.id, applied_at: Clock.now() }).execute();
    newlyApplied.push(migration.id);
  }
  return newlyApplied;
}

/**
 * Migrates a deployed database. On Aurora DSQL also creates the database role and allows the functions' IAM roles to use it.
 */
export async function migrateDeployed(functionRoles: readonly string[]): Promise<string[]> {
  if (Config.database().kind === "postgres") return migrate("postgres");
  await waitUntilConnected();
  await sql.raw(`CREATE SCHEMA IF NOT EXISTS ${dsqlRole}`).execute(db());
  await sql.raw(`SET search_path TO ${dsqlRole}`).execute(db());
  const applied = await migrate("dsql");
  await grantDsqlRole(functionRoles);
  return applied;
}

/** Retries until IAM has propagated the permission to connect, which the same deployment has granted. */
async function waitUntilConnected(): Promise<void> {
  for (let second = 0; ; second += 3)
    try {
      return void (await sql`SELECT 1`.execute(db()));
    } catch (error) {
      if (second >= connectTimeoutSeconds) throw error;
      await sleep(3000);
    }
}

async function apply(statement: string, dialect: Dialect): Promise<void> {
  if (dialect === "postgres") return void (await sql.raw(statement).execute(db()));
  const { rows } = await sql.raw<{ job_id?: string }>(asynchronous(statement)).execute(db());
  const job = rows[0]?.job_id;
  if (job) await sql`CALL sys.wait_for_job(${job})`.execute(db());
}

/** Returns the statement for Aurora DSQL, which builds indexes in background jobs. */
export function asynchronous(statement: string): string {
  return statement.replace(
    /^\s*CREATE\s+(UNIQUE\s+)?INDEX\s+/i,
    (_, unique = "") => `CREATE ${unique}INDEX ASYNC `,
  );
}

/** Creates the role that may only read and write rows, and allows each function's IAM role to connect as it. */
async function grantDsqlRole(functionRoles: readonly string[]): Promise<void> {
  const { rows } = await sql`SELECT 1 FROM pg_roles WHERE rolname = ${dsqlRole}`.execute(db());
  if (rows.length === 0) await sql.raw(`CREATE ROLE ${dsqlRole} WITH LOGIN`).execute(db());
  await sql.raw(`GRANT USAGE ON SCHEMA ${dsqlRole} TO ${dsqlRole}`).execute(db());
  await sql
    .raw(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${dsqlRole} TO ${dsqlRole}`)
    .execute(db());
  const mapped = await sql<{
    arn: string;
  }>`SELECT arn FROM sys.iam_pg_role_mappings WHERE pg_role_name = ${dsqlRole}`.execute(db());
  for (const arn of functionRoles) {
    if (mapped.rows.some((row) => row.arn === arn)) continue;
    if (!/^arn:aws:iam::\d{12}:role\/[\w+=,.@/-]+$/.test(arn))
      throw new Error(`Invalid ARN of an IAM role: ${arn}.`);
    await sql.raw(`AWS IAM GRANT ${dsqlRole} TO '${arn}'`).execute(db());
  }
}
