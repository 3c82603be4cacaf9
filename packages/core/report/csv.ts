import { csvLine } from "../base/csv.ts";
import { type Document, plainText } from "./document.ts";

/**
 * Writes CSV (RFC 4180) in UTF-8 with a header line. Numbers are plain: whole, or with a decimal point. With `bom`, the file
 * starts with a byte order mark, without which Excel reads letters beyond ASCII wrongly.
 */
export async function* csv(
  { columns, rows }: Pick<Document, "columns" | "rows">,
  { bom }: { bom: boolean },
): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from((bom ? "\ufeff" : "") + csvLine(columns.map(({ name }) => name)));
  for await (const batch of rows)
    yield Buffer.from(
      batch
        .map((row) => csvLine(row.map((cell, at) => plainText(cell, columns[at]?.kind ?? "text"))))
        .join(""),
    );
}
