import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import * as Clock from "../../base/clock.ts";
import * as Config from "../config/config.ts";
import { db, dsqlRole, type Reader } from "./engine.ts";
import { type Migration, migrations } from "./migrations.ts";

/** How long the migrator of a new deployment waits for the permission to connect. */
const connectTimeoutSeconds = 60;

export type Dialect = "postgres" | "dsql";

const createLedger = `CREATE TABLE IF NOT EXISTS migrations (id text PRIMARY KEY, applied_at timestamptz NOT NULL)`;

/**
 * Applies the migrations that the ledger table does not contain and returns their ids. Each statement runs separately and is
 * then recorded, so an interrupted run can be repeated. An index whose build failed or was interrupted is dropped and built
 * again, also if an earlier version recorded it.
 */
export async function migrate(
  dialect: Dialect = "postgres",
  list: readonly Migration[] = migrations,
): Promise<string[]> {
  await sql.raw(createLedger).execute(db());
  const applied = new Set((await db().selectFrom("migrations").select("id").execute()).map((row) => row.id));
  const invalid = await invalidIndexes();
  const newlyApplied = [];
  for (const migration of list) {
    const index = createdIndex(migration.sql);
    const broken = index !== undefined && invalid.has(index);
    if (applied.has(migration.id) && !broken) continue;
    if (broken) await sql`DROP INDEX IF EXISTS ${sql.ref(index)}`.execute(db());
    if (index) await build(index, migration.sql, dialect);
    else await withoutTimeout(dialect, (connection) => sql.raw(migration.sql).execute(connection));
    await db()
      .insertInto("migrations")
      .values({ id: migration.id, applied_at: Clock.now() })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
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

/** Builds an index without blocking writes to its table. Throws if the index is not valid afterwards. */
async function build(index: string, statement: string, dialect: Dialect): Promise<void> {
  const succeeded = dialect === "dsql" ? await buildAsync(statement) : await buildConcurrently(statement);
  if (!succeeded || (await invalidIndexes()).has(index))
    throw new Error(
      `The index ${index} could not be built. Check its table for rows that violate it, then migrate again.`,
    );
}

/** Builds an index in a background job of Aurora DSQL and returns whether the job succeeded. */
async function buildAsync(statement: string): Promise<boolean> {
  const { rows } = await sql.raw<{ job_id?: string }>(createIndex(statement, "ASYNC")).execute(db());
  const job = rows[0]?.job_id;
  // Without a job, the index existed already.
  if (!job) return true;
  const waited = await sql<{ succeeded: boolean }>`CALL sys.wait_for_job(${job})`.execute(db());
  return waited.rows[0]?.succeeded === true;
}

async function buildConcurrently(statement: string): Promise<boolean> {
  const concurrently = createIndex(statement, "CONCURRENTLY");
  await withoutTimeout("postgres", (connection) => sql.raw(concurrently).execute(connection));
  return true;
}

/** Runs `work` on one connection. On PostgreSQL its statements may take longer than those of a request. */
function withoutTimeout<T>(dialect: Dialect, work: (connection: Reader) => Promise<T>): Promise<T> {
  return db()
    .connection()
    .execute(async (connection) => {
      if (dialect === "dsql") return work(connection);
      await sql`SET statement_timeout = 0`.execute(connection);
      try {
        return await work(connection);
      } finally {
        await sql`RESET statement_timeout`.execute(connection);
      }
    });
}

/** Returns the names of the indexes whose build failed or has not finished. */
async function invalidIndexes(): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_index i
    JOIN pg_class c ON c.oid = i.indexrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE NOT i.indisvalid AND n.nspname = current_schema()`.execute(db());
  return new Set(rows.map(({ name }) => name));
}

const indexStatement = /^\s*CREATE\s+(UNIQUE\s+)?INDEX\s+(?=IF\s+NOT\s+EXISTS\s+(\w+))/i;

/** Returns the name of the index that the statement creates, and undefined for other statements. */
function createdIndex(statement: string): string | undefined {
  return indexStatement.exec(statement)?.[2];
}

/** Returns the statement with an option that keeps the table writable: ASYNC on Aurora DSQL, CONCURRENTLY elsewhere. */
export function createIndex(statement: string, option: "ASYNC" | "CONCURRENTLY"): string {
  return statement.replace(indexStatement, (_, unique = "") => `CREATE ${unique}INDEX ${option} `);
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
