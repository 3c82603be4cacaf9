import { AsyncLocalStorage } from "node:async_hooks";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { wrapConnections } from "../platform/db/pool.ts";
import { type Examined, examine } from "./dsql-rules.ts";

/** The numbers of rows and bytes that a transaction of Aurora DSQL may write. */
const maxRows = 3000;
const maxBytes = 10 * 1024 * 1024;

type Transaction = { rows: number; bytes: number; wrote: boolean; defined: boolean };

/** The statements that this process has executed. Kept across test files, because setup files run once per test file. */
const shared = globalThis as typeof globalThis & { svcDsql?: State };
shared.svcDsql ??= {
  exempt: new AsyncLocalStorage<true>(),
  examined: new Map(),
  shapes: new Map(),
  added: [],
  refused: [],
};
const state = shared.svcDsql;
type State = {
  exempt: AsyncLocalStorage<true>;
  examined: Map<string, Examined>;
  /** Examined statements by their text without the number of parameters in a list. */
  shapes: Map<string, Examined>;
  added: string[];
  refused: string[];
};

/**
 * Runs `work` without the limits of Aurora DSQL and without collecting its statements. For fixtures of many rows, for questions
 * that only a test asks (EXPLAIN, the catalog) and for statements that only run on other PostgreSQL.
 */
export function unlimited<T>(work: () => Promise<T>): Promise<T> {
  return state.exempt.run(true, work);
}

/**
 * Returns a pool that refuses what Aurora DSQL refuses: statements that break the rules of `examine`, more than 3,000 rows or
 * 10 MiB in a transaction, definitions beside writes, and a second definition. It cannot roll back a single statement that
 * is not in a transaction, so that statement has written its rows when it is refused. Of the bytes, it counts those of the
 * parameters.
 */
export function likeDsql(pool: PostgresPool): PostgresPool {
  return wrapConnections(pool as Parameters<typeof wrapConnections<PostgresPoolClient>>[0], (client) => {
    let open: Transaction | undefined;
    const run = async (sql: string, parameters: readonly unknown[], examined: Examined) => {
      const [violation] = examined.violations;
      if (violation) throw refusal("0A000", violation, sql);
      if (examined.effect === "end") open = undefined;
      if (examined.effect === "begin") open = begun();
      const transaction = open ?? begun();
      if (examined.effect === "define") define(transaction, sql);
      if (examined.effect === "write") write(transaction, parameters, sql);
      const result = await client.query<unknown>(sql, [...parameters]);
      if (examined.effect === "write") transaction.rows += Number(result.rowCount);
      if (transaction.rows > maxRows)
        throw refusal("54000", `more than ${maxRows} rows in a transaction`, sql);
      return result;
    };
    return {
      query: (sql, parameters) =>
        state.exempt.getStore()
          ? client.query(sql, [...parameters])
          : run(sql, parameters, examinedOnce(sql)),
    };
  });
}

const begun = (): Transaction => ({ rows: 0, bytes: 0, wrote: false, defined: false });

function define(transaction: Transaction, sql: string) {
  if (transaction.defined) throw refusal("0A000", "a second definition in a transaction", sql);
  if (transaction.wrote) throw refusal("0A000", "a definition after a write in a transaction", sql);
  transaction.defined = true;
}

function write(transaction: Transaction, parameters: readonly unknown[], sql: string) {
  if (transaction.defined) throw refusal("0A000", "a write after a definition in a transaction", sql);
  transaction.wrote = true;
  for (const value of parameters)
    transaction.bytes += typeof value === "string" ? Buffer.byteLength(value) : 8;
  if (transaction.bytes > maxBytes) throw refusal("54000", "more than 10 MiB in a transaction", sql);
}

function refusal(code: string, reason: string, sql: string): Error {
  const message = `Aurora DSQL refuses ${reason}: ${sql.slice(0, 500)}`;
  state.refused.push(message);
  return Object.assign(new Error(message), { severity: "ERROR", code });
}

/** Returns the refusals since the last call. A test that provokes none has to find it empty, also if its code caught them. */
export function takeRefused(): string[] {
  return state.refused.splice(0);
}

/** Returns the statements that were executed for the first time since the last call. */
export function takeAdded(): string[] {
  return state.added.splice(0);
}

function examinedOnce(sql: string): Examined {
  const known = state.examined.get(sql);
  if (known) return known;
  const shape = shapeOf(sql);
  const examined = state.shapes.get(shape) ?? examine(shape);
  state.shapes.set(shape, examined);
  state.examined.set(sql, examined);
  state.added.push(sql);
  return examined;
}

/** Shortens each list of parameters, and of rows of parameters, to its first item. */
function shapeOf(sql: string): string {
  return sql.replace(/(\$\d+)(?:, ?\$\d+)+/g, "$1").replace(/(\(\$\d+\))(?:, ?\(\$\d+\))+/g, "$1");
}

const linter = fileURLToPath(new URL("../../../node_modules/.bin/dsql-lint", import.meta.url));

/** Whether AWS's linter is installed. It is only available for Linux on x64. */
export const linterExists = existsSync(linter);

/** Returns what AWS's linter for Aurora DSQL finds in the statements, one line for each finding. */
export function lint(statements: readonly string[]): string[] {
  // The linter needs seconds for a statement of thousands of parameters.
  const shapes = new Set(statements.map(shapeOf));
  const input = [...shapes].map((shape) => `${shape};\n`).join("");
  const { stdout } = spawnSync(linter, ["--format", "json", "-"], { input, encoding: "utf8" });
  const { files } = JSON.parse(stdout) as { files: [Linted] };
  return [
    ...(files[0].error ? [files[0].error] : []),
    ...files[0].diagnostics.map(({ message, statement_preview: statement }) => `${message} ${statement}`),
  ];
}
type Linted = { error: string | null; diagnostics: { message: string; statement_preview: string }[] };
