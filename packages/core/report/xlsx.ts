import { Zip, ZipDeflate } from "fflate";
import { minorUnits } from "../money/currency.ts";
import type { Cell, Column, Document, Kind } from "./document.ts";

/** Maximum number of characters in a spreadsheet cell. */
const maxText = 32_767;

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packaged = "http://schemas.openxmlformats.org/package/2006";

/** The serial number of 1970-01-01, counted in days from the last day of 1899. */
const epoch = 25_569;

/** Number formats by kind. Text has the format for text, so that editing a cell does not turn it into a formula. */
const formats: Readonly<Record<Exclude<Kind, "money">, string>> = {
  text: "@",
  count: "#,##0",
  seconds: "[h]:mm",
  duration: "[h]:mm",
  hours: "#,##0.00",
  decimal: "#,##0.00",
  day: "yyyy\\-mm\\-dd",
  local: "yyyy\\-mm\\-dd\\ hh:mm:ss",
  instant: "yyyy\\-mm\\-dd\\ hh:mm:ss",
};

/**
 * Writes a workbook (ECMA-376) with two sheets: the rows of the report and its totals. Rows are written while they are read.
 * Days and times are dates, durations are fractions of a day, and money has the format of its currency. Text is never a
 * formula, because the type of its cell is text.
 */
export async function* xlsx(document: Document): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  const open = (name: string) => {
    const file = new ZipDeflate(name, { level: 6 });
    zip.add(file);
    return (text: string, last = false) => file.push(Buffer.from(text), last);
  };
  for (const [name, text] of Object.entries(fixedParts)) open(name)(declaration + text, true);

  const styles = createStyles();
  const rows = open("xl/worksheets/sheet1.xml");
  const { columns, timezone } = document;
  const titles = columns.map(({ title, kind }) => (kind === "local" ? `${title} (${timezone})` : title));
  rows(sheetHead(columns.map(({ width }, at) => Math.max(width, (titles[at]?.length ?? 0) + 4))));
  rows(row(titles.map((title) => textCell(title, styles.of("@", true)))));
  let count = 1;
  for await (const batch of document.rows) {
    count += batch.length;
    rows(batch.map((cells) => row(cells.map((cell, at) => cellXml(cell, columns[at], styles)))).join(""));
    yield* chunks.splice(0);
  }
  rows(totalRowsXml(document, styles));
  rows(`</sheetData>${filterXml(columns, count)}${printXml}</worksheet>`, true);

  open("xl/worksheets/sheet2.xml")(totalsSheet(document, styles), true);
  // The filtered range and the styles are known only after the rows.
  open("xl/workbook.xml")(declaration + workbookXml(columns, count), true);
  open("xl/styles.xml")(declaration + styles.xml(), true);
  zip.end();
  yield* chunks;
}

function sheetHead(widths: readonly number[]): string {
  const frozen =
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';
  return `${declaration}<worksheet xmlns="${main}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>${frozen}${columnsXml(widths)}<sheetData>`;
}

function columnsXml(widths: readonly number[]): string {
  const cols = widths.map(
    (width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  return `<cols>${cols.join("")}</cols>`;
}

const printXml = '<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>';

function filterXml(columns: readonly Column[], rows: number): string {
  return `<autoFilter ref="A1:${letters(columns.length)}${rows}"/>`;
}

/** Returns the letters of a column by its number, from 1. */
function letters(column: number): string {
  const rest = column - 1;
  const last = String.fromCharCode(65 + (rest % 26));
  return rest < 26 ? last : letters(Math.floor(rest / 26)) + last;
}

/** Leaves a row empty above the totals, so that sorting and filtering the rows does not include them. */
function totalRowsXml({ columns, totalRows }: Document, styles: Styles): string {
  const lines = totalRows.map(({ label, cells }) =>
    row(
      columns.map((column, at) => {
        const cell = cells[at] ?? null;
        return at === 0 && cell === null
          ? textCell(label, styles.of("@", true))
          : cellXml(cell, column, styles, true);
      }),
    ),
  );
  return lines.length === 0 ? "" : `${row([])}${lines.join("")}`;
}

function totalsSheet(document: Document, styles: Styles): string {
  const { workspace, title, from, to, timezone, created, filters, totals } = document;
  const about: [string, Cell, Kind][] = [
    ["Workspace", workspace, "text"],
    ["Report", title, "text"],
    ["From", from, "day"],
    ["To", to, "day"],
    ["Time zone", timezone, "text"],
    ["Created (UTC)", created.toISOString(), "instant"],
    ...filters.map(([name, value]): [string, Cell, Kind] => [`Filter: ${name}`, value, "text"]),
    ...totals.map(({ name, value, kind }): [string, Cell, Kind] => [name, value, kind]),
  ];
  const lines = about.map(([name, value, kind]) =>
    row([textCell(name, styles.of("@", true)), cellXml(value, { kind }, styles)]),
  );
  return `${declaration}<worksheet xmlns="${main}">${columnsXml([26, 36])}<sheetData>${lines.join("")}</sheetData></worksheet>`;
}

function row(cells: readonly string[]): string {
  return `<row>${cells.join("")}</row>`;
}

function cellXml(
  cell: Cell,
  column: Pick<Column, "kind"> | undefined,
  styles: Styles,
  isBold = false,
): string {
  if (cell === null) return "<c/>";
  const kind = column?.kind ?? "text";
  if (typeof cell === "object")
    return `<c s="${styles.of(moneyFormat(cell.currency), isBold)}"><v>${cell.amount}</v></c>`;
  if (kind === "text" || kind === "money") return textCell(String(cell), styles.of("@", isBold));
  return `<c s="${styles.of(formats[kind], isBold)}"><v>${numberOf(cell, kind)}</v></c>`;
}

/** Returns the number that a sheet stores: days from the epoch of sheets for dates, days for durations. */
function numberOf(cell: string | number, kind: Kind): string | number {
  if (kind === "seconds" || kind === "duration") return Number(cell) / 86_400;
  if (kind === "hours") return Number(cell) / 3600;
  if (kind === "day") return serial(`${cell}T00:00:00Z`);
  if (kind === "local") return serial(`${String(cell).replace(" ", "T")}Z`);
  return kind === "instant" ? serial(String(cell)) : cell;
}

function serial(iso: string): number {
  return epoch + Math.floor(Date.parse(iso) / 1000) / 86_400;
}

/** Returns the number format of a currency: its decimal places and its code. */
function moneyFormat(currency: string): string {
  const places = minorUnits(currency);
  return `#,##0${places > 0 ? `.${"0".repeat(places)}` : ""}\\ [$${currency}]`;
}

function textCell(value: string, format: number): string {
  return `<c s="${format}" t="inlineStr"><is><t xml:space="preserve">${escaped(value.slice(0, maxText))}</t></is></c>`;
}

/** Escapes text for XML 1.0, which allows no control characters, not even escaped ones. */
function escaped(value: string): string {
  return value
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\r", "&#13;")
    .replace(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are replaced here.
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      "\ufffd",
    );
}

/** The cell formats of a workbook, numbered in the order of their first use. The first one is the default. */
function createStyles() {
  const numbers = new Map<string, number>([["General ", 0]]);
  return {
    /** Returns the index of the cell format with this number format and weight. */
    of(format: string, isBold = false): number {
      const key = `${format} ${isBold ? "bold" : ""}`;
      const found = numbers.get(key) ?? numbers.size;
      numbers.set(key, found);
      return found;
    },
    xml(): string {
      const keys = [...numbers.keys()].slice(1);
      const codes = [...new Set(keys.map((key) => key.slice(0, key.lastIndexOf(" "))))];
      const numberFormats = codes.map(
        (code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escaped(code)}"/>`,
      );
      const cellFormats = keys.map((key) => {
        const at = key.lastIndexOf(" ");
        const font = key.slice(at + 1) === "bold" ? 1 : 0;
        return `<xf numFmtId="${164 + codes.indexOf(key.slice(0, at))}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"${font ? ' applyFont="1"' : ""}/>`;
      });
      return `<styleSheet xmlns="${main}"><numFmts count="${codes.length}">${numberFormats.join("")}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${keys.length + 1}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>${cellFormats.join("")}</cellXfs></styleSheet>`;
    },
  };
}
type Styles = ReturnType<typeof createStyles>;

const sheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** The parts of a workbook that are the same for all reports. */
const fixedParts = {
  "[Content_Types].xml": `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${sheetType}.worksheet+xml"/><Override PartName="/xl/worksheets/sheet2.xml" ContentType="${sheetType}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/></Types>`,
  "_rels/.rels": `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="rId3" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
};

/** Names the filtered range and repeats the header on each printed page. */
function workbookXml(columns: readonly Column[], rows: number): string {
  const filtered = `Report!$A$1:$${letters(columns.length)}$${rows}`;
  return `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Report" sheetId="1" r:id="rId1"/><sheet name="Totals" sheetId="2" r:id="rId2"/></sheets><definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">${filtered}</definedName><definedName name="_xlnm.Print_Titles" localSheetId="0">Report!$1:$1</definedName></definedNames></workbook>`;
}
