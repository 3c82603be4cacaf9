import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { PostgresPool } from "kysely";
import { sql } from "kysely";
import { afterAll, beforeAll, inject } from "vitest";
import * as Clock from "../base/clock.ts";
import { useCost } from "../identity/password/hash.ts";
import { connect, db, postgres } from "../platform/db/engine.ts";
import { open } from "../platform/db/pglite.ts";
import { administer, databaseUrl } from "./setup-database.ts";

/** The database of this worker. Kept across test files, because setup files run once per test file. */
const shared = globalThis as typeof globalThis & { svcTestPool?: PostgresPool };

/** Opens the worker's database. On PostgreSQL the pool has several connections, so that transactions can conflict. */
async function workerPool(): Promise<PostgresPool> {
  const template = inject("template");
  if (template.kind === "pglite") return open({ snapshot: new Blob([await readFile(template.snapshot)]) });
  const name = `${template.name}_${randomUUID().replaceAll("-", "").slice(0, 8)}`;
  await administer(template.url, `CREATE DATABASE ${name} TEMPLATE ${template.name}`);
  return postgres(databaseUrl(template.url, name), 10);
}

/** Returns the pool of this worker's database. */
export function testPool(): PostgresPool {
  if (!shared.svcTestPool) throw new Error("There is no test database. Name the test file *.db.test.ts.");
  return shared.svcTestPool;
}

// Cheap hashes keep the tests fast. hash.test.ts tests the real cost.
useCost({ memory: 64, passes: 1 });

beforeAll(async () => {
  shared.svcTestPool ??= await workerPool();
  connect(shared.svcTestPool);
  const { rows } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_name <> 'migrations'`.execute(db());
  await sql.raw(`TRUNCATE ${rows.map((row) => row.name).join(", ")}`).execute(db());
});

afterAll(() => Clock.reset());
