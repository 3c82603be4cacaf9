/** First characters that make a spreadsheet treat a cell as a formula (OWASP, CSV Injection). */
const formulaStart = /^[=+\-@\t\r]/;

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
