import { csvLine } from "../base/csv.ts";
import type { Document } from "./document.ts";

/** CSV by RFC 4180 in UTF-8, a line of names first. Figures are plain: whole numbers, and decimals with a point. */
export async function* csv({ columns, rows }: Document): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(csvLine(columns.map(({ name }) => name)));
  for await (const some of rows)
    yield Buffer.from(
      some.map((row) => csvLine(row.map((cell) => (cell === null ? null : String(cell))))).join(""),
    );
}
