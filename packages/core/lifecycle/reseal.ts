import { sql } from "kysely";
import * as Config from "../platform/config/config.ts";
import * as Sealed from "../platform/crypto/sealed.ts";
import { type SealedColumn, sealedColumns } from "../platform/crypto/sealed-columns.ts";
import { db } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { log } from "../platform/log/log.ts";

/** Rows of one look and one transaction; Aurora DSQL takes 3,000. */
const batchSize = 500;

/** `failed` values opened with none of the keys: they stay as they are, and their key must stay too. */
export type Resealed = { resealed: number; failed: number };

/**
 * Seal everything anew that was not sealed with the first of ENCRYPTION_KEYS, so that the others can be retired: they can
 * once nothing has `failed`. A value that somebody changes meanwhile is left to them, since they seal it with the first
 * key. May be run again at any time, and goes on where it was broken off.
 */
export async function reseal(
  keys: readonly Config.EncryptionKey[] = Config.encryptionKeys(),
): Promise<Resealed> {
  const done: Resealed = { resealed: 0, failed: 0 };
  for (const column of sealedColumns) {
    let after = "";
    for (;;) {
      const rows = await outdated(column, keys[0]?.id ?? "", after);
      const last = rows.at(-1);
      if (!last) break;
      await replace(column, rows, keys, done);
      after = last.id;
    }
  }
  return done;
}

type Row = { id: string; sealed: string };

async function outdated({ table, id, column }: SealedColumn, keyId: string, after: string): Promise<Row[]> {
  const [from, key, value] = [sql.table(table), sql.ref(id), sql.ref(column)];
  const { rows } = await sql<Row>`
    SELECT ${key} AS id, ${value} AS sealed FROM ${from}
    WHERE ${key} > ${after} AND NOT starts_with(${value}, ${`${keyId}.`})
    ORDER BY ${key} LIMIT ${sql.lit(batchSize)}`.execute(db());
  return rows;
}

async function replace(
  { table, id, column, context }: SealedColumn,
  rows: readonly Row[],
  keys: readonly Config.EncryptionKey[],
  done: Resealed,
): Promise<void> {
  const fresh = rows.flatMap((row) => {
    try {
      return [
        { ...row, anew: Sealed.seal(Sealed.open(row.sealed, context(row.id), keys), context(row.id), keys) },
      ];
    } catch (error) {
      log.error("not resealed", { table, column, id: row.id, error: error as Error });
      done.failed++;
      return [];
    }
  });
  const [into, key, value] = [sql.table(table), sql.ref(id), sql.ref(column)];
  done.resealed += await transaction(async (tx) => {
    let written = 0;
    for (const { id: rowId, sealed, anew } of fresh) {
      const { numAffectedRows = 0n } = await sql`
        UPDATE ${into} SET ${value} = ${anew} WHERE ${key} = ${rowId} AND ${value} = ${sealed}`.execute(tx);
      written += Number(numAffectedRows);
    }
    return written;
  });
}
