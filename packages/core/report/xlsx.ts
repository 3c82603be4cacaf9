import { Zip, ZipDeflate } from "fflate";
import { escapeFormula } from "../base/csv.ts";
import type { Cell, Document, Kind } from "./document.ts";

/** Indexes of the cell formats in `styles.xml`. `money` is indexed by the number of decimal places. */
const style = { plain: 0, heading: 1, count: 2, money: [3, 4, 5, 6, 7] } as const;

/** Maximum number of characters in a spreadsheet cell. */
const maxText = 32_767;

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packaged = "http://schemas.openxmlformats.org/package/2006";

/**
 * Writes a workbook (ECMA-376) with two sheets: the rows of the report and its totals. Rows are written while they are read.
 * Figures are numbers. Text is never a formula; text that could become one if saved as CSV is prefixed with an apostrophe.
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
  for (const [name, text] of Object.entries(parts())) open(name)(declaration + text, true);

  const rows = open("xl/worksheets/sheet1.xml");
  const { columns } = document;
  rows(
    `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`,
  );
  rows(row(columns.map(({ title }) => text(title, style.heading))));
  for await (const batch of document.rows) {
    rows(
      batch.map((cells) => row(cells.map((cell, at) => cellXml(cell, columns[at]?.kind ?? "text")))).join(""),
    );
    yield* chunks.splice(0);
  }
  rows("</sheetData></worksheet>", true);

  open("xl/worksheets/sheet2.xml")(totalsSheet(document), true);
  zip.end();
  yield* chunks;
}

function totalsSheet({ title, from, to, timezone, totals }: Document): string {
  const about: [string, string][] = [
    ["Report", title],
    ["From", from],
    ["To", to],
    ["Time zone", timezone],
  ];
  const lines = [
    ...about.map(([name, value]) => row([text(name, style.heading), text(value)])),
    ...totals.map(([name, figure, kind]) => row([text(name, style.heading), cellXml(figure, kind)])),
  ];
  return `${declaration}<worksheet xmlns="${main}"><sheetData>${lines.join("")}</sheetData></worksheet>`;
}

function row(cells: readonly string[]): string {
  return `<row>${cells.join("")}</row>`;
}

function cellXml(cell: Cell, kind: Kind): string {
  if (cell === null) return "<c/>";
  if (kind === "text") return text(String(cell));
  const decimals = /\.(\d+)$/.exec(String(cell))?.[1]?.length ?? 0;
  const format = kind === "money" ? (style.money[decimals] ?? style.plain) : style.count;
  return `<c s="${format}"><v>${cell}</v></c>`;
}

function text(value: string, format: number = style.plain): string {
  const safe = escapeFormula(value.slice(0, maxText - 1));
  return `<c s="${format}" t="inlineStr"><is><t xml:space="preserve">${escaped(safe)}</t></is></c>`;
}

/** Escapes text for XML 1.0, which allows no control characters, not even escaped ones. */
function escaped(value: string): string {
  return value
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;")
    .replace(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are replaced here.
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      "\ufffd",
    );
}

/** Returns the parts of a workbook other than its sheets. */
function parts(): Record<string, string> {
  const format = (id: number, code: string) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`;
  const cell = (numFmtId: number, font = 0) =>
    `<xf numFmtId="${numFmtId}" fontId="${font}" fillId="0" borderId="0" xfId="0"${font ? ' applyFont="1"' : ""}${numFmtId ? ' applyNumberFormat="1"' : ""}/>`;
  const sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  return {
    "[Content_Types].xml": `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheet}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${sheet}.worksheet+xml"/><Override PartName="/xl/worksheets/sheet2.xml" ContentType="${sheet}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheet}.styles+xml"/></Types>`,
    "_rels/.rels": `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Report" sheetId="1" r:id="rId1"/><sheet name="Totals" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="rId3" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    "xl/styles.xml": `<styleSheet xmlns="${main}"><numFmts count="3">${format(164, "0.0")}${format(165, "0.000")}${format(166, "0.0000")}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="8">${[cell(0), cell(0, 1), cell(1), cell(1), cell(164), cell(2), cell(165), cell(166)].join("")}</cellXfs></styleSheet>`,
  };
}
