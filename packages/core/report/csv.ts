import { csvLine } from "../base/csv.ts";
import type { Document } from "./document.ts";

/** Writes CSV (RFC 4180) in UTF-8 with a header line. Numbers are plain: whole, or with a decimal point. */
export async function* csv({ columns, rows }: Document): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(csvLine(columns.map(({ name }) => name)));
  for await (const batch of rows)
    yield Buffer.from(
      batch.map((row) => csvLine(row.map((cell) => (cell === null ? null : String(cell))))).join(""),
    );
}
