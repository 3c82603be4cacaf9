import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import * as Clock from "../../base/clock.ts";
import * as Config from "../config/config.ts";
import { db, dsqlRole } from "./engine.ts";
import { type Migration, migrations } from "./migrations.ts";

/** How long the migrator of a new deployment waits until the cluster lets it in. */
const admissionSeconds = 60;

export type Dialect = "postgres" | "dsql";

const ledger = `CREATE TABLE IF NOT EXISTS migrations (id text PRIMARY KEY, applied_at timestamptz NOT NULL)`;

/**
 * Bring the database to the newest schema: each statement that its ledger does not name is run on its own and then
 * recorded, so that a migrator that dies half-way simply goes on. Answers the ids it applied.
 */
export async function migrate(
  dialect: Dialect = "postgres",
  list: readonly Migration[] = migrations,
): Promise<string[]> {
  await sql.raw(ledger).execute(db());
  const done = new Set((await db().selectFrom("migrations").select("id").execute()).map((row) => row.id));
  const applied = [];
  for (const migration of list) {
    if (done.has(migration.id)) continue;
    await apply(migration.sql, dialect);
    await db().insertInto("migrations").values({ id: migration.id, applied_at: Clock.now() }).execute();
    applied.push(migration.id);
  }
  return applied;
}

/** The migrator of a deployment: the schema, and on Aurora DSQL the role that the functions connect as. */
export async function migrateDeployed(functionRoles: readonly string[]): Promise<string[]> {
  if (Config.database().kind === "postgres") return migrate("postgres");
  await admitted();
  await sql.raw(`CREATE SCHEMA IF NOT EXISTS ${dsqlRole}`).execute(db());
  await sql.raw(`SET search_path TO ${dsqlRole}`).execute(db());
  const applied = await migrate("dsql");
  await grantDsqlRole(functionRoles);
  return applied;
}

/** A right that a deployment has just given takes a while to be known everywhere. */
async function admitted(): Promise<void> {
  for (let second = 0; ; second += 3)
    try {
      return void (await sql`SELECT 1`.execute(db()));
    } catch (error) {
      if (second >= admissionSeconds) throw error;
      await sleep(3000);
    }
}

async function apply(statement: string, dialect: Dialect): Promise<void> {
  if (dialect === "postgres") return void (await sql.raw(statement).execute(db()));
  const { rows } = await sql.raw<{ job_id?: string }>(asynchronous(statement)).execute(db());
  const job = rows[0]?.job_id;
  if (job) await sql`CALL sys.wait_for_job(${job})`.execute(db());
}

/** On DSQL an index is built by a job of its own. */
export function asynchronous(statement: string): string {
  return statement.replace(
    /^\s*CREATE\s+(UNIQUE\s+)?INDEX\s+/i,
    (_, unique = "") => `CREATE ${unique}INDEX ASYNC `,
  );
}

/** May read and write rows, and nothing else; each function's IAM role may connect as it. */
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
    if (!/^arn:aws:iam::\d{12}:role\/[\w+=,.@/-]+$/.test(arn)) throw new Error("Not the ARN of an IAM role.");
    await sql.raw(`AWS IAM GRANT ${dsqlRole} TO '${arn}'`).execute(db());
  }
}
