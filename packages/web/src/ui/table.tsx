import "./table.css";
import type { ReactNode } from "react";
import { number } from "../base/format.ts";
import { messages } from "./messages.ts";

export type Column<Row> = {
  heading: string;
  cell: (row: Row) => ReactNode;
  /** Aligns the column right. */
  numeric?: true;
  /** The place on a phone, where a row has two lines: `end` is beside the first column, all others are below them. */
  phone?: "end" | "hidden";
};

/**
 * A table with a caption. Scrolls inside its own box when it is wider than the screen. With `stacked`, rows have two lines on
 * phones, and the head stays visible on wide screens.
 */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  stacked = false,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  stacked?: boolean;
}) {
  // Rows that are not laid out as a table would lose their roles.
  const role = (name: string) => (stacked ? { role: name } : {});
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard (WCAG 2.1.1).
    <section className="table-scroll" data-stacked={stacked || undefined} aria-label={caption} tabIndex={0}>
      <table {...role("table")}>
        <caption className="visually-hidden">{caption}</caption>
        <thead {...role("rowgroup")}>
          <tr {...role("row")}>
            {columns.map(({ heading, numeric }) => (
              <th key={heading} scope="col" data-numeric={numeric} {...role("columnheader")}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...role("rowgroup")}>
          {rows.map((row) => (
            <tr key={rowKey(row)} {...role("row")}>
              {columns.map(({ heading, cell, numeric, phone }) => (
                <td key={heading} data-numeric={numeric} data-phone={phone} {...role("cell")}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Buttons for the previous and next page. Renders nothing for a single page. */
export function Pagination({
  page,
  totalPages,
  onPage,
}: {
  page: number;
  totalPages: number;
  onPage: (page: number) => void;
}) {
  if (totalPages <= 1) return null;
  return (
    <nav className="row" aria-label={messages.pages}>
      <button type="button" className="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {messages.previousPage}
      </button>
      <span aria-live="polite">{messages.page(number(page), number(totalPages))}</span>
      <button type="button" className="button" disabled={page >= totalPages} onClick={() => onPage(page + 1)}>
        {messages.nextPage}
      </button>
    </nav>
  );
}
