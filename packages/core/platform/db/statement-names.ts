import { hash } from "node:crypto";
import { log } from "../log/log.ts";
import { sqlState } from "./sql-state.ts";

/** Maximum number of statements with a name. Each takes some 30 kB of the server's memory per connection. */
export const maxNames = 500;

/** Matches statements whose text depends on the length of a list: `in ($1, …)` and inserts of several rows. */
const variableLength = /\bin \(\$\d|\), \(\$\d/i;

/** Chooses the names of a pool's prepared statements. */
export type StatementNames = {
  /** Returns the name of a statement, or undefined if it is to be executed without one. */
  of(sql: string, parameters: readonly unknown[]): string | undefined;
  /** Learns from the error of a statement that was executed by name. */
  failed(sql: string, name: string, error: unknown): void;
};

/**
 * Names prepared statements by a hash of their text, so that the server parses each once per connection. Statements without
 * parameters have no name, nor have those whose text depends on the length of a list, and at most `maxNames` have one. After a
 * schema change every statement gets a new name. After a connection pooler has lost a statement, none has a name any more.
 */
export function statementNames(): StatementNames {
  const names = new Map<string, string>();
  let generation = 0;
  let lost = false;
  return {
    of(sql, parameters) {
      const known = names.get(sql);
      if (known !== undefined) return known;
      if (lost || parameters.length === 0 || names.size >= maxNames || variableLength.test(sql))
        return undefined;
      const name = `svc${generation}_${hash("sha256", sql, "base64url").slice(0, 22)}`;
      names.set(sql, name);
      return name;
    },
    failed(sql, name, error) {
      // Another statement that failed at the same time has already been dealt with.
      if (!isStatementUnusable(error) || names.get(sql) !== name) return;
      names.clear();
      generation++;
      if (lostCodes.has(sqlState(error) ?? "")) {
        lost = true;
        log.warn("prepared statements turned off: the connection pooler does not keep them", {
          error: error as Error,
        });
      }
    },
  };
}

/** Names nothing, for connection poolers without support for prepared statements. */
export const noStatementNames: StatementNames = { of: () => undefined, failed: () => {} };

/**
 * `invalid_sql_statement_name` and `duplicate_prepared_statement`. Both mean that another server connection executes this
 * client's statements, as a pooler in transaction mode does.
 */
const lostCodes = new Set(["26000", "42P05"]);

/**
 * Returns whether a statement failed because of how it was prepared, so that it succeeds when it is prepared again. SQLSTATE
 * 0A000 has many causes; the one of "cached plan must not change result type" is the function that reports it.
 */
export function isStatementUnusable(error: unknown): boolean {
  const code = sqlState(error) ?? "";
  if (code === "0A000") return (error as { routine?: unknown }).routine === "RevalidateCachedQuery";
  return lostCodes.has(code);
}
