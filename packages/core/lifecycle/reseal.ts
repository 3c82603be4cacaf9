import { sql } from "kysely";
import * as Config from "../platform/config/config.ts";
import * as Sealed from "../platform/crypto/sealed.ts";
import { type SealedColumn, sealedColumns } from "../platform/crypto/sealed-columns.ts";
import { db } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { log } from "../platform/log/log.ts";

/** Rows per query and transaction. Aurora DSQL limits a transaction to 3,000 rows. */
const batchSize = 500;

/** `failed` counts the values that none of the keys could open. They stay unchanged, so their key must be kept. */
export type Resealed = { resealed: number; failed: number };

/**
 * Re-encrypts every stored value that was not encrypted with the first of ENCRYPTION_KEYS. Once `failed` is 0, the
 * other keys can be retired. Values that change meanwhile are skipped, because they are written with the first key. Can be
 * repeated at any time, and continues after an interruption.
 */
export async function reseal(
  keys: readonly Config.EncryptionKey[] = Config.encryptionKeys(),
): Promise<Resealed> {
  const total: Resealed = { resealed: 0, failed: 0 };
  for (const column of sealedColumns) {
    let after = "";
    for (;;) {
      const rows = await outdated(column, keys[0]?.id ?? "", after);
      const last = rows.at(-1);
      if (!last) break;
      const { resealed, failed } = await replace(column, rows, keys);
      total.resealed += resealed;
      total.failed += failed;
      after = last.id;
    }
  }
  return total;
}

type SealedRow = { id: string; sealed: string };

/** Loads the next rows whose value was not encrypted with this key. */
async function outdated(
  { table, id, column }: SealedColumn,
  keyId: string,
  after: string,
): Promise<SealedRow[]> {
  const [from, key, value] = [sql.table(table), sql.ref(id), sql.ref(column)];
  const { rows } = await sql<SealedRow>`
    SELECT ${key} AS id, ${value} AS sealed FROM ${from}
    WHERE ${key} > ${after} AND NOT starts_with(${value}, ${`${keyId}.`})
    ORDER BY ${key} LIMIT ${sql.lit(batchSize)}`.execute(db());
  return rows;
}

/** Re-encrypts and stores the rows, except those that changed meanwhile. */
async function replace(
  sealedColumn: SealedColumn,
  rows: readonly SealedRow[],
  keys: readonly Config.EncryptionKey[],
): Promise<Resealed> {
  const replacements = rows.flatMap((row) => {
    const replacement = resealedValue(sealedColumn, row, keys);
    return replacement === undefined ? [] : [{ ...row, replacement }];
  });
  const { table, id, column } = sealedColumn;
  const [into, key, value] = [sql.table(table), sql.ref(id), sql.ref(column)];
  const resealed = await transaction(async (tx) => {
    let written = 0;
    for (const { id: rowId, sealed, replacement } of replacements) {
      const { numAffectedRows = 0n } = await sql`
        UPDATE ${into} SET ${value} = ${replacement} WHERE ${key} = ${rowId} AND ${value} = ${sealed}`.execute(
        tx,
      );
      written += Number(numAffectedRows);
    }
    return written;
  });
  return { resealed, failed: rows.length - replacements.length };
}

/** Re-encrypts a value with the first key. Returns undefined, and logs an error, if no key opens it. */
function resealedValue(
  { table, column, context }: SealedColumn,
  { id, sealed }: SealedRow,
  keys: readonly Config.EncryptionKey[],
): string | undefined {
  try {
    return Sealed.seal(Sealed.open(sealed, context(id), keys), context(id), keys);
  } catch (error) {
    log.error("not resealed", { table, column, id, error: error as Error });
    return undefined;
  }
}
