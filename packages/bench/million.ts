import { sql } from "kysely";
import { db } from "../core/platform/db/engine.ts";
import { colleague, type Home, owner, type Person } from "../core/testing/people.ts";
import { withDatabase } from "./database.ts";

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
export function withMillion<T>(work: (million: Million) => Promise<T>): Promise<T | undefined> {
  return withDatabase(async (url) => {
    const admin = await owner("Ada", "ENTERPRISE");
    const member = await colleague(admin);
    await fill(admin.workspaceId, member.id);
    return work({ admin, member, url });
  });
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
