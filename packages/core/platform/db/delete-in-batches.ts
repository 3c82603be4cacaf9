import { type RawBuilder, sql } from "kysely";
import { db, type Reader } from "./engine.ts";
import type { Schema } from "./schema.ts";

/** Rows per transaction. Aurora DSQL limits a transaction to about 3,000 written rows and 10 MiB. */
export const batchRows = 500;

/**
 * Deletes the rows that meet `condition` and returns their number. Each batch is a separate transaction, so an interrupted
 * run keeps what it has deleted. `key` is the primary key; `condition` needs an index, because every batch evaluates it.
 */
export async function deleteInBatches<Table extends keyof Schema>(
  table: Table,
  key: readonly (keyof Schema[Table] & string)[],
  condition: RawBuilder<unknown>,
): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = await deleteBatch(db(), table, key, condition);
    total += deleted;
    if (deleted < batchRows) return total;
  }
}

/** Deletes at most `batchRows` of the rows that meet `condition` and returns their number. */
export async function deleteBatch<Table extends keyof Schema>(
  reader: Reader,
  table: Table,
  key: readonly (keyof Schema[Table] & string)[],
  condition: RawBuilder<unknown>,
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const { numAffectedRows } = await sql`
    DELETE FROM ${sql.table(table)} WHERE (${columns}) IN (
      SELECT ${columns} FROM ${sql.table(table)} WHERE ${condition} LIMIT ${batchRows}
    )`.execute(reader);
  return Number(numAffectedRows);
}
