import { sql } from "kysely";
import { close, connect, db, postgres } from "../core/platform/db/engine.ts";
import { migrate } from "../core/platform/db/migrate.ts";
import { colleague, type Home, owner, type Person } from "../core/testing/people.ts";
import { administer, databaseUrl } from "../core/testing/setup-database.ts";

export const rows = 1_000_000;
const projects = 300;
const people = 200;
/** Spreads the rows over three years. */
const secondsApart = 94;

/** `url` is the connection string of the database, for other processes. */
export type Million = { admin: Person & Home; member: Person; url: string };

/**
 * Runs `work` with a PostgreSQL database of one ENTERPRISE workspace: a million time entries and a million audit rows of 200
 * people on 300 projects over three years. Returns undefined if TEST_DATABASE_URL does not name a server.
 */
export async function withMillion<T>(work: (million: Million) => Promise<T>): Promise<T | undefined> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return undefined;
  const name = `svc_bench_${process.pid}`;
  await administer(server, `CREATE DATABASE ${name}`);
  connect(postgres(databaseUrl(server, name), 1));
  try {
    await migrate();
    await sql`SET statement_timeout = 0`.execute(db());
    const admin = await owner("Ada", "ENTERPRISE");
    const member = await colleague(admin);
    await fill(admin.workspaceId, member.id);
    return await work({ admin, member, url: databaseUrl(server, name) });
  } finally {
    await close();
    await administer(server, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

async function fill(workspaceId: string, memberId: string): Promise<void> {
  const person = sql`CASE n % ${sql.lit(people)} WHEN 0 THEN ${memberId} ELSE 'usr_' || n % ${sql.lit(people)} END`;
  const start = sql`date_trunc('second', now()) - n * ${sql.lit(secondsApart)} * interval '1 second'`;
  await sql`INSERT INTO projects (id, workspace_id, name, client, color, currency, hourly_rate_minor, billable, created_at, updated_at)
    SELECT 'prj_' || n, ${workspaceId}, 'Project ' || n, 'Client ' || n % 40, '#000000', 'EUR', 8000, true, now(), now()
    FROM generate_series(0, ${sql.lit(projects - 1)}) n`.execute(db());
  await sql`INSERT INTO time_entries (id, workspace_id, user_id, project_id, description, started_at, ended_at, duration_seconds,
      billable, hourly_rate_minor, amount_minor, currency, tags, created_at, updated_at)
    SELECT 'tim_' || md5(n::text), ${workspaceId}, ${person}, 'prj_' || n % ${sql.lit(projects)}, 'Work ' || n,
      ${start}, ${start} + interval '1 hour', 3600, true, 8000, 8000, 'EUR', '["a","b"]', ${start}, ${start}
    FROM generate_series(1, ${sql.lit(rows)}) n`.execute(db());
  await sql`INSERT INTO events (id, workspace_id, action, at, actor_type, actor_id, target_type, target_id, target_name,
      request_id, outcome, changes)
    SELECT 'evt_' || lpad(to_hex((extract(epoch FROM ${start}) * 1000)::int8), 12, '0') || md5(n::text), ${workspaceId},
      'time_entry.created', ${start}, 'user', ${person}, 'time_entry', 'tim_' || md5(n::text), 'Work ' || n, 'r', 'success', '{}'
    FROM generate_series(1, ${sql.lit(rows)}) n`.execute(db());
  await sql`VACUUM ANALYZE`.execute(db());
}
