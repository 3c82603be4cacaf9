import type { Chart } from "./chart.ts";

/** How a cell is written: text, a whole number, seconds, or a decimal amount of money. */
export type Kind = "text" | "count" | "seconds" | "money";

/** A column of a file. `width` is its share of a printed page; what has none is not printed. */
export type Column = { name: string; title: string; kind: Kind; width: number };

/** Money is a decimal string, a count and seconds are whole numbers. */
export type Cell = string | number | null;

/** A report as a file: what it is of, what it adds up to, its charts, and its rows, read as they are written. */
export type Document = {
  title: string;
  from: string;
  to: string;
  timezone: string;
  /** Name and figure of each total. */
  totals: readonly (readonly [name: string, figure: Cell, kind: Kind])[];
  charts: readonly Chart[];
  columns: readonly Column[];
  rows: AsyncIterable<readonly (readonly Cell[])[]>;
};

/** Seconds as people read them: `26:00:05` for more than a day. */
export function clock(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
