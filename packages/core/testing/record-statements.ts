import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { sql } from "kysely";
import { fingerprintSync } from "libpg-query";
import metadata from "../../../package.json" with { type: "json" };
import { close, connect, db } from "../platform/db/engine.ts";
import { migrate } from "../platform/db/migrate.ts";
import { type Migration, migrations } from "../platform/db/migrations.ts";
import { pool } from "../platform/db/pglite.ts";
import { examine } from "./dsql-rules.ts";

const file = new URL("../platform/db/released-statements.json", import.meta.url);

/** Runs the database tests and returns every statement that they executed. */
function executed(): string[] {
  const directory = mkdtempSync(join(tmpdir(), "svc-statements-"));
  try {
    const file = join(directory, "statements.json");
    const env = { ...process.env, RECORD_STATEMENTS: file };
    const { status } = spawnSync("npx", ["vitest", "run", "--project", "database"], {
      env,
      stdio: "inherit",
    });
    if (status !== 0) throw new Error("The tests failed, so nothing was recorded.");
    return JSON.parse(readFileSync(file, "utf8"));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/**
 * Returns the queries and writes among the statements that work on the schema, sorted. Of those that differ only in the
 * lengths of lists, the shortest. Without those of tests on tables of their making.
 */
export async function recordable(
  statements: readonly string[],
  schema: readonly Migration[],
): Promise<string[]> {
  const shortest = new Map<string, string>();
  for (const statement of statements.toSorted((a, b) => b.length - a.length))
    if (["read", "write"].includes(examine(statement).effect))
      shortest.set(fingerprintSync(statement), statement);
  connect(pool(await PGlite.create()));
  try {
    await migrate("postgres", schema);
    const working = [];
    for (const statement of shortest.values()) if (await isPreparable(statement)) working.push(statement);
    return working.map((statement) => statement.replace(/\n\s*/g, " ").trim()).sort();
  } finally {
    await close();
  }
}

async function isPreparable(statement: string): Promise<boolean> {
  try {
    await sql.raw(`PREPARE recorded AS ${statement}`).execute(db());
    await sql`DEALLOCATE recorded`.execute(db());
    return true;
  } catch {
    return false;
  }
}

if (import.meta.main) {
  const statements = await recordable(executed(), migrations);
  writeFileSync(file, `${JSON.stringify({ release: metadata.version, statements }, null, 2)}\n`);
}
