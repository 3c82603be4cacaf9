import { randomBytes } from "node:crypto";
import { writeConflict } from "./conflict.ts";

/** Creates the version of a row that is written. Random, so that a row that is created again never has an earlier version. */
export function newVersion(): string {
  return randomBytes(12).toString("base64url");
}

/** Returns the columns that every change of a row's representation writes. */
export function changed(now: Date): { version: string; updated_at: Date } {
  return { version: newVersion(), updated_at: now };
}

/**
 * Returns the version of a representation: that of its row, and `shown`, the values from elsewhere that it depends on, such as
 * the reader's role. A row from before the column existed has its id as version until it is changed.
 */
export function versionOf(
  { id, version }: { id: string; version: string | null },
  ...shown: readonly (string | number | boolean)[]
): string {
  return [version ?? id, ...shown].join(".");
}

/**
 * Executes a write that is conditional on the version that the transaction has read, and returns the written row. Without one,
 * another transaction has changed the row since: throws a write conflict, so that the transaction runs again and reads it.
 */
export async function executeUnlessChanged<Row>(write: {
  executeTakeFirst(): Promise<Row | undefined>;
}): Promise<Row> {
  const row = await write.executeTakeFirst();
  if (!row) throw writeConflict();
  return row;
}
