import type { Chart } from "./chart.ts";

/** The kind of a cell: text, a whole number, seconds, or a decimal amount of money. */
export type Kind = "text" | "count" | "seconds" | "money";

/** A column of a file. `width` is its share of a printed page; columns of width 0 are not printed. */
export type Column = { name: string; title: string; kind: Kind; width: number };

/** Money is a decimal string; counts and seconds are whole numbers. */
export type Cell = string | number | null;

/** A report before it is written in a file format. Rows are read in batches while they are written. */
export type Document = {
  title: string;
  from: string;
  to: string;
  timezone: string;
  totals: readonly (readonly [name: string, figure: Cell, kind: Kind])[];
  charts: readonly Chart[];
  columns: readonly Column[];
  rows: AsyncIterable<readonly (readonly Cell[])[]>;
};

/** Formats seconds as hours, minutes and seconds, such as `26:00:05`. */
export function formatDuration(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
