/** What a spreadsheet would take for the beginning of a formula (OWASP, CSV injection). */
const formula = /^[=+\-@\t\r]/;

/** One line of CSV (RFC 4180) with its line break. A cell that could start a formula is led in by an apostrophe. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

/** Text that no spreadsheet takes for a formula: led in by an apostrophe where it could be one. */
export function inert(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

function cell(value: string | null): string {
  const safe = inert(value ?? "");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
