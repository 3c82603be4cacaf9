import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { close, connect, postgres } from "../platform/db/engine.ts";
import { migrate } from "../platform/db/migrate.ts";
import { pool } from "../platform/db/pglite.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The source of each worker's migrated database: a template to copy, or a snapshot to load. */
    template: { kind: "postgres"; url: string; name: string } | { kind: "pglite"; snapshot: string };
  }
}

/** Migrates one database per run, which every worker copies. TEST_DATABASE_URL selects a PostgreSQL server. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL;
  return url ? onPostgres(project, url) : onPglite(project);
}

async function onPostgres(project: TestProject, url: string) {
  const name = `svc_template_${randomUUID().replaceAll("-", "").slice(0, 12)}`;
  await administer(url, `CREATE DATABASE ${name}`);
  connect(postgres(databaseUrl(url, name), 1));
  await migrate();
  await close();
  project.provide("template", { kind: "postgres", url, name });
  return () => dropAll(url, name);
}

async function onPglite(project: TestProject) {
  const engine = await PGlite.create();
  connect(pool(engine));
  await migrate();
  const directory = await mkdtemp(join(tmpdir(), "svc-test-"));
  const snapshot = join(directory, "migrated.tar");
  await writeFile(snapshot, Buffer.from(await (await engine.dumpDataDir("none")).arrayBuffer()));
  await close();
  project.provide("template", { kind: "pglite", snapshot });
  return () => rm(directory, { recursive: true, force: true });
}

/** Returns the URL of another database on the same server. */
export function databaseUrl(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

/** Drops the template and its copies. */
async function dropAll(url: string, prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query("SELECT datname FROM pg_database WHERE starts_with(datname, $1)", [
    prefix,
  ]);
  for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  await client.end();
}

/** Runs one statement outside a transaction, as creating and dropping databases requires. */
export async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
