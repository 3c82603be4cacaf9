import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "libpg-query";
import { describe, expect, it } from "vitest";
import { asynchronous } from "./migrate.ts";
import { migrations } from "./migrations.ts";

/** The allowed column types, all of which Aurora DSQL supports. */
const types = new Set(["text", "bool", "int4", "int8", "numeric", "timestamptz", "date", "json", "jsonb"]);
const constraints = new Set(["CONSTR_PRIMARY", "CONSTR_UNIQUE", "CONSTR_NOTNULL", "CONSTR_DEFAULT"]);

type Node = Record<string, unknown>;
type Column = {
  colname: string;
  typeName: { names: { String: { sval: string } }[]; arrayBounds?: unknown; typmods?: unknown };
  constraints?: { Constraint: { contype: string } }[];
};

/** Returns the reasons why a statement is not allowed as a migration; empty if it is allowed. */
async function violationsOf(sql: string): Promise<string[]> {
  const { stmts } = (await parse(sql)) as unknown as { stmts: { stmt: Record<string, Node> }[] };
  if (stmts.length !== 1) return ["not a single statement"];
  const [[kind, node]] = Object.entries(stmts[0]?.stmt ?? {}) as [[string, Node]];
  if (kind === "CreateStmt") return table(node);
  if (kind === "IndexStmt") return index(node);
  if (kind === "AlterTableStmt") return addition(node);
  return ["InsertStmt", "UpdateStmt", "DeleteStmt"].includes(kind) ? [] : [`${kind} is not allowed`];
}

function table({ tableElts = [], if_not_exists, relation, partspec, inhRelations }: Node): string[] {
  const found = if_not_exists ? [] : ["not idempotent"];
  if ((relation as Node).relpersistence !== "p") found.push("temporary or unlogged");
  if (partspec || inhRelations) found.push("partitioned or inherited");
  for (const element of tableElts as { ColumnDef?: Column; Constraint?: { contype: string } }[]) {
    if (element.ColumnDef) found.push(...column(element.ColumnDef));
    if (element.Constraint && !constraints.has(element.Constraint.contype))
      found.push(element.Constraint.contype);
  }
  return found;
}

function column({ colname, typeName, constraints: columnConstraints = [] }: Column): string[] {
  const type = typeName.names.at(-1)?.String.sval ?? "";
  const found = types.has(type) ? [] : [`${colname}: type ${type}`];
  if (typeName.arrayBounds) found.push(`${colname}: array`);
  if (type === "numeric" && !typeName.typmods) found.push(`${colname}: numeric without precision and scale`);
  for (const { Constraint } of columnConstraints)
    if (!constraints.has(Constraint.contype)) found.push(`${colname}: ${Constraint.contype}`);
  return found;
}

function index({ if_not_exists, accessMethod, indexParams = [], concurrent }: Node): string[] {
  const found = if_not_exists ? [] : ["not idempotent"];
  if (accessMethod !== "btree" || concurrent) found.push("USING or CONCURRENTLY");
  for (const { IndexElem } of indexParams as { IndexElem: Node }[])
    if (IndexElem.ordering !== "SORTBY_DEFAULT" || IndexElem.opclass || IndexElem.collation)
      found.push("a sort order, operator class or collation");
  return found;
}

function addition({ cmds = [] }: Node): string[] {
  return (
    cmds as { AlterTableCmd: { subtype: string; missing_ok?: boolean; def: { ColumnDef: Column } } }[]
  ).flatMap(({ AlterTableCmd }) => {
    if (AlterTableCmd.subtype !== "AT_AddColumn") return [AlterTableCmd.subtype];
    const { ColumnDef } = AlterTableCmd.def;
    const found = column(ColumnDef);
    if (!AlterTableCmd.missing_ok) found.push("not idempotent");
    if (ColumnDef.constraints)
      found.push(`${ColumnDef.colname}: an added column must not have DEFAULT or NOT NULL`);
    return found;
  });
}

const linter = fileURLToPath(new URL("../../../../node_modules/.bin/dsql-lint", import.meta.url));

describe("migrations", () => {
  it.each(migrations.map(({ id, sql }) => [id, sql]))(
    "%s uses only the Aurora DSQL subset",
    async (_, sql) => {
      expect(await violationsOf(sql)).toEqual([]);
    },
  );

  it("has unique ids in ascending order", () => {
    const ids = migrations.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  // The linter is only available for Linux on x64.
  it.skipIf(!existsSync(linter))("passes AWS's linter for Aurora DSQL", () => {
    const lint = (sql: string) =>
      spawnSync(linter, ["--format", "json", "-"], { input: sql, encoding: "utf8" });
    expect(lint("CREATE INDEX a ON b (c);").status).toBe(1);
    const all = lint(migrations.map(({ sql }) => `${asynchronous(sql)};`).join("\n"));
    expect([all.status, JSON.parse(all.stdout).summary]).toEqual([0, { errors: 0, warnings: 0, fixed: 0 }]);
  });
});

describe("a migration", () => {
  it.each([
    "CREATE TABLE a (b text)",
    "CREATE TABLE IF NOT EXISTS a (b citext)",
    "CREATE TABLE IF NOT EXISTS a (b inet)",
    "CREATE TABLE IF NOT EXISTS a (b text[])",
    "CREATE TABLE IF NOT EXISTS a (b tsvector)",
    "CREATE TABLE IF NOT EXISTS a (b numeric)",
    "CREATE TABLE IF NOT EXISTS a (b text GENERATED ALWAYS AS ('x') STORED)",
    "CREATE TABLE IF NOT EXISTS a (b text REFERENCES c (d))",
    "CREATE TABLE IF NOT EXISTS a (b text, EXCLUDE (b WITH =))",
    "CREATE TEMP TABLE IF NOT EXISTS a (b text)",
    "CREATE TABLE IF NOT EXISTS a (b text) PARTITION BY HASH (b)",
    "CREATE INDEX a ON b (c)",
    "CREATE INDEX IF NOT EXISTS a ON b (c DESC)",
    "CREATE INDEX IF NOT EXISTS a ON b USING gin (c)",
    "ALTER TABLE a ADD COLUMN b text",
    "ALTER TABLE a ADD COLUMN IF NOT EXISTS b text NOT NULL",
    "ALTER TABLE a ADD COLUMN IF NOT EXISTS b text DEFAULT ''",
    "ALTER TABLE a ALTER COLUMN b TYPE text",
    "TRUNCATE a",
    "CREATE EXTENSION citext",
    "CREATE TYPE a AS ENUM ('b')",
    "SELECT pg_advisory_lock(1)",
    "CREATE TABLE IF NOT EXISTS a (b text); CREATE TABLE IF NOT EXISTS c (d text)",
  ])("is rejected if it contains %s", async (sql) => {
    expect(await violationsOf(sql)).not.toEqual([]);
  });
});

describe("asynchronous", () => {
  it("turns CREATE INDEX into CREATE INDEX ASYNC and leaves other statements unchanged", () => {
    expect(asynchronous("CREATE INDEX IF NOT EXISTS a ON b (c)")).toBe(
      "CREATE INDEX ASYNC IF NOT EXISTS a ON b (c)",
    );
    expect(asynchronous("  CREATE UNIQUE INDEX IF NOT EXISTS a ON b (c)")).toBe(
      "CREATE UNIQUE INDEX ASYNC IF NOT EXISTS a ON b (c)",
    );
    expect(asynchronous("CREATE TABLE IF NOT EXISTS a (b text)")).toBe(
      "CREATE TABLE IF NOT EXISTS a (b text)",
    );
  });
});
