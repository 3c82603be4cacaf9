import "../core/testing/environment.ts";
import { spawnSync } from "node:child_process";
import { sql } from "kysely";
import { close, connect, db, postgres } from "../core/db/engine.ts";
import { migrate } from "../core/db/migrate.ts";
import { owner } from "../core/testing/people.ts";
import { administer, databaseUrl } from "../core/testing/setup-database.ts";

const server = process.env.TEST_DATABASE_URL!;
await administer(server, "CREATE DATABASE m");
const url = databaseUrl(server, "m");
connect(postgres(url, 1));
await migrate();
const ada = await owner("Ada", "ENTERPRISE");
await sql`INSERT INTO time_entries (id, workspace_id, user_id, description, started_at, ended_at, duration_seconds, billable, amount_minor, currency, tags, created_at, updated_at)
 SELECT 'tim_' || md5(n::text), ${ada.workspaceId}, ${ada.id}, 'Work ' || n, now() - n * interval '90 s', now(), 3600, true, 8000, 'EUR', '["a","b"]', now(), now() FROM generate_series(1, 99000) n`.execute(
  db(),
);
await sql`VACUUM ANALYZE`.execute(db());
const day = (n: number) => new Date(Date.now() - n * 86400000).toISOString().slice(0, 10);
for (const flags of [
  [],
  ["--max-semi-space-size=2"],
  ["--max-semi-space-size=2", "--max-old-space-size=64"],
  ["--optimize-for-size"],
])
  for (const format of ["csv"]) {
    const r = spawnSync(
      process.execPath,
      [
        ...flags,
        "packages/bench/report-child.ts",
        JSON.stringify({ userId: ada.id, workspaceId: ada.workspaceId, from: day(110), to: day(0), format }),
      ],
      { env: { ...process.env, DATABASE_URL: url } },
    );
    console.log(flags.join(" "), format, String(r.stdout), String(r.stderr).slice(0, 500));
  }
await close();
process.exit(0);
