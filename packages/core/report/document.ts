import type * as Money from "../money/money.ts";
import type { Chart } from "./chart.ts";

/**
 * The kind of a cell: text, a count, a duration in seconds (shown as `h:mm` or as decimal hours), money, a decimal number, a
 * day (`2026-11-20`), a time of day in the time zone of the report (`2026-11-20 09:00:00`), or an instant (ISO 8601, UTC).
 */
export type Kind =
  | "text"
  | "count"
  | "duration"
  | "hours"
  | "seconds"
  | "money"
  | "decimal"
  | "day"
  | "local"
  | "instant";

/** A column of a file. `name` is its header in CSV, `title` its header for readers. `width` is a number of characters. */
export type Column = { name: string; title: string; kind: Kind; width: number };

/** Counts and seconds are whole numbers, amounts and decimals are decimal strings. */
export type Cell = string | number | Money.View | null;

export type Figure = { name: string; value: Cell; kind: Kind };

/** A row below a table, with a cell for each of its columns. */
export type TotalRow = { label: string; cells: readonly Cell[] };

/** A report before it is written in a file format. Rows are read in batches while they are written. */
export type Document = {
  /** The name of the workspace. */
  workspace: string;
  title: string;
  from: string;
  to: string;
  timezone: string;
  /** The instant at which the report was created, and until which running timers are counted. */
  created: Date;
  /** The filters and options of the report, such as `["Project", "Engine"]`. */
  filters: readonly (readonly [name: string, value: string])[];
  totals: readonly Figure[];
  charts: readonly Chart[];
  columns: readonly Column[];
  rows: AsyncIterable<readonly (readonly Cell[])[]>;
  /** The rows below the table. */
  totalRows: readonly TotalRow[];
};

/** Formats seconds as whole hours and minutes, such as `26:05`. Seconds are cut off, as in the format `[h]:mm` of a sheet. */
export function formatDuration(seconds: number): string {
  return `${Math.floor(seconds / 3600)}:${String(Math.floor(seconds / 60) % 60).padStart(2, "0")}`;
}

/** Formats seconds as decimal hours, rounded half up. Four decimal places distinguish seconds. */
export function formatHours(seconds: number, places: 2 | 4): string {
  const units = Math.floor((seconds * 10 ** places) / 3600 + 0.5);
  const digits = String(units).padStart(places + 1, "0");
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** Returns the plain text of a cell, as CSV has it. */
export function plainText(cell: Cell, kind: Kind): string {
  if (cell === null) return "";
  if (typeof cell === "object") return cell.amount;
  if (kind === "duration") return formatDuration(Number(cell));
  if (kind === "hours") return formatHours(Number(cell), 4);
  return String(cell);
}
