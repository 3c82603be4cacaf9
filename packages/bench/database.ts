import { sql } from "kysely";
import { close, connect, db, postgres } from "../core/platform/db/engine.ts";
import { migrate } from "../core/platform/db/migrate.ts";
import { administer, databaseUrl } from "../core/testing/setup-database.ts";

/**
 * Runs `work` with a new database and its connection string. Returns undefined if TEST_DATABASE_URL does not name a server.
 */
export async function withDatabase<T>(work: (url: string) => Promise<T>): Promise<T | undefined> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return undefined;
  const name = `svc_bench_${process.pid}`;
  const url = databaseUrl(server, name);
  await administer(server, `CREATE DATABASE ${name}`);
  connect(postgres(url, 1));
  try {
    await migrate();
    await sql`SET statement_timeout = 0`.execute(db());
    return await work(url);
  } finally {
    await close();
    await administer(server, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}
