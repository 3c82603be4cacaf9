/** What a spreadsheet would take for the beginning of a formula (OWASP, CSV injection). */
const formula = /^[=+\-@\t\r]/;

/** One line of CSV (RFC 4180) with its line break. A cell that could start a formula is led in by an apostrophe. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

function cell(value: string | null): string {
  const text = value ?? "";
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
