import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { close, connect, postgres } from "../platform/db/engine.ts";
import { migrate } from "../platform/db/migrate.ts";
import { pool } from "../platform/db/pglite.ts";
import { lint, linterExists } from "./dsql.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The source of each worker's migrated database: a template to copy, or a snapshot to load. */
    template: { kind: "postgres"; url: string; name: string } | { kind: "pglite"; snapshot: string };
    /** The directory where each worker writes the statements that it has executed, one JSON string in a line. */
    statements: string;
  }
}

/**
 * Migrates one database per run, which every worker copies. TEST_DATABASE_URL selects a PostgreSQL server. At the end, AWS's
 * linter checks every statement that was executed: once, because to start it from a worker takes longer than it runs.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL;
  const removeDatabases = await (url ? onPostgres(project, url) : onPglite(project));
  const directory = await mkdtemp(join(tmpdir(), "svc-statements-"));
  project.provide("statements", directory);
  return async () => {
    await removeDatabases();
    const statements = await statementsIn(directory);
    await rm(directory, { recursive: true });
    const { RECORD_STATEMENTS: file } = process.env;
    if (file) await writeFile(file, JSON.stringify(statements));
    const found = linterExists ? lint(statements) : [];
    if (found.length > 0) throw new Error(`AWS's linter for Aurora DSQL:\n${found.join("\n")}`);
  };
}

async function statementsIn(directory: string): Promise<string[]> {
  const texts = (await readdir(directory)).map((name) => readFile(join(directory, name), "utf8"));
  const lines = (await Promise.all(texts)).flatMap((text) => text.split("\n").filter(Boolean));
  return [...new Set(lines)].map((line) => JSON.parse(line));
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
