import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import * as Clock from "../base/clock.ts";
import { useCost } from "../identity/password/hash.ts";
import { connect, db, postgres } from "../platform/db/engine.ts";
import { open } from "../platform/db/pglite.ts";
import { wrapConnections } from "../platform/db/pool.ts";
import { likeDsql, takeAdded, takeRefused, unlimited } from "./dsql.ts";
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

/** Returns the pool of this worker's database, which refuses what Aurora DSQL refuses; see `unlimited`. */
export function testPool(): PostgresPool {
  if (!shared.svcTestPool) throw new Error("There is no test database. Name the test file *.db.test.ts.");
  return shared.svcTestPool;
}

/** Connects so that `before` sees each statement until the next `connect(testPool())`. It fails a statement by throwing. */
export function beforeStatements(before: (sql: string, parameters: readonly unknown[]) => void): void {
  const pool = testPool() as Parameters<typeof wrapConnections<PostgresPoolClient>>[0];
  const watched = wrapConnections(pool, (client) => ({
    async query(sql, parameters) {
      before(sql, parameters);
      return client.query(sql, [...parameters]);
    },
  }));
  connect(watched);
}

/**
 * Gives the worker's database more connections until the returned function is called, so that more transactions conflict.
 * PGlite always has one.
 */
export async function widen(connections: number): Promise<() => Promise<void>> {
  const template = inject("template");
  if (template.kind === "pglite") return async () => {};
  const name = sql<{ name: string }>`SELECT current_database() AS name`;
  const { rows } = await unlimited(() => name.execute(db()));
  const wide = likeDsql(postgres(databaseUrl(template.url, rows[0]?.name ?? ""), connections));
  connect(wide);
  return async () => {
    connect(testPool());
    await wide.end();
  };
}

// Cheap hashes keep the tests fast. hash.test.ts tests the real cost.
useCost({ memory: 64, passes: 1 });

beforeAll(async () => {
  shared.svcTestPool ??= likeDsql(await workerPool());
  connect(shared.svcTestPool);
  await unlimited(truncate);
});

async function truncate() {
  const { rows } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_name <> 'migrations'`.execute(db());
  await sql.raw(`TRUNCATE ${rows.map((row) => row.name).join(", ")}`).execute(db());
}

afterEach(() => expect(takeRefused()).toEqual([]));

const toLine = (statement: string) => `${JSON.stringify(statement)}\n`;

afterAll(() => {
  Clock.reset();
  appendFileSync(join(inject("statements"), `${process.pid}.jsonl`), takeAdded().map(toLine).join(""));
  expect(takeRefused()).toEqual([]);
});
