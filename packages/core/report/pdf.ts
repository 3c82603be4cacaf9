import { once } from "node:events";
import PDFDocument from "pdfkit";
import type { Chart } from "./chart.ts";
import { type Cell, type Column, type Document, formatDuration, type Kind } from "./document.ts";
import { font } from "./font.ts";
import { drawChart } from "./pdf-charts.ts";
import { type Box, margin, type Paper, size, strokePale, writeText } from "./pdf-paper.ts";

const rowHeight = 11;
const chartHeight = 150;

/** The current page and the position of the next line on it. */
type Page = { paper: Paper; y: number; width: number; bottom: number };

/**
 * Writes a report on landscape A4: title, totals, charts, and rows with a heading on each page. Pages are written while their
 * rows are read.
 */
export async function* pdf(document: Document, now: Date): AsyncGenerator<Uint8Array, void, undefined> {
  const paper = await openPaper(document.title, now);
  const chunks: Uint8Array[] = [];
  paper.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  const ended = once(paper, "end");
  const page = {
    paper,
    y: margin,
    width: paper.page.width - 2 * margin,
    bottom: paper.page.height - margin,
  };

  writeSummary(page, document);
  drawCharts(page, document.charts);
  yield* chunks.splice(0);

  const columns = printedColumns(document.columns, page.width);
  if (page.y + 4 * rowHeight > page.bottom) turnPage(page);
  writeHeading(page, columns);
  for await (const batch of document.rows) {
    for (const cells of batch) writeRow(page, columns, cells);
    yield* chunks.splice(0);
  }
  paper.end();
  await ended;
  yield* chunks;
}

async function openPaper(title: string, now: Date): Promise<Paper> {
  const paper = new PDFDocument({
    size: "A4",
    layout: "landscape",
    margin,
    font: null as unknown as string, // The built-in fonts have too few letters.
    info: { Title: title, CreationDate: now },
  });
  paper.registerFont("text", Buffer.from(await font()));
  paper.font("text");
  return paper;
}

function turnPage(page: Page): void {
  page.paper.addPage();
  page.y = margin;
}

function writeLine(page: Page, text: string, points: number): void {
  writeText(page.paper, text, { x: margin, y: page.y, width: page.width, height: 0 }, points);
  page.y += points * 1.5;
}

function writeSummary(page: Page, { title, from, to, timezone, totals }: Document): void {
  writeLine(page, title, size.title);
  writeLine(page, `${from} to ${to}, days in ${timezone}`, size.text);
  for (const [name, figure, kind] of totals) {
    if (page.y > page.bottom - size.text * 2) turnPage(page);
    writeLine(page, `${name}: ${textOf(figure, kind)}`, size.text);
  }
}

/** Draws the charts in rows of two. */
function drawCharts(page: Page, charts: readonly Chart[]): void {
  for (const [at, chart] of charts.entries()) {
    const isLeft = at % 2 === 0;
    if (isLeft && page.y + chartHeight + 20 > page.bottom) turnPage(page);
    drawChart(page.paper, chart, {
      x: margin + (isLeft ? 0 : page.width / 2 + 8),
      y: page.y + 8,
      width: page.width / 2 - 8,
      height: chartHeight,
    });
    if (!isLeft || at === charts.length - 1) page.y += chartHeight + 20;
  }
}

type PrintedColumn = { column: Column; at: number; box: Box };

/** Returns the printed columns with their indexes and their positions on the page. */
function printedColumns(columns: readonly Column[], width: number): PrintedColumn[] {
  const whole = columns.reduce((total, column) => total + column.width, 0);
  let x = margin;
  return columns.flatMap((column, at) => {
    if (column.width === 0) return [];
    const box = { x, y: 0, width: (width * column.width) / whole - 4, height: rowHeight };
    x += box.width + 4;
    return [{ column, at, box }];
  });
}

function writeHeading(page: Page, columns: readonly PrintedColumn[]): void {
  const { paper, width } = page;
  page.y += 6;
  for (const { column, box } of columns)
    writeText(paper, column.title, { ...box, y: page.y }, size.row, isRightAligned(column));
  page.y += rowHeight;
  paper.moveTo(margin, page.y - 2).lineTo(margin + width, page.y - 2);
  strokePale(paper);
}

function writeRow(page: Page, columns: readonly PrintedColumn[], cells: readonly Cell[]): void {
  if (page.y + rowHeight > page.bottom) {
    turnPage(page);
    writeHeading(page, columns);
  }
  for (const { column, at, box } of columns) {
    const text = textOf(cells[at] ?? null, column.kind);
    writeText(page.paper, text, { ...box, y: page.y }, size.row, isRightAligned(column));
  }
  page.y += rowHeight;
}

function textOf(cell: Cell, kind: Kind): string {
  if (cell === null) return "";
  return kind === "seconds" ? formatDuration(Number(cell)) : String(cell).replace(/\s+/g, " ");
}

function isRightAligned({ kind }: Column): boolean {
  return kind !== "text";
}
