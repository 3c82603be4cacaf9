/**
 * The start of a cell that a spreadsheet can treat as a formula (OWASP, CSV Injection): an operator, also in the full width of
 * East Asian text, after any blanks, because some spreadsheets remove those; and a tab or line break, which others take for
 * the end of a cell.
 */
const formulaStart = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;

/** Returns one CSV line (RFC 4180) including its line break. Cells that look like formulas are escaped. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

/** Prefixes text with an apostrophe when a spreadsheet would treat it as a formula. */
export function escapeFormula(text: string): string {
  return formulaStart.test(text) ? `'${text}` : text;
}

function cell(value: string | null): string {
  const safe = escapeFormula(value ?? "");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
