import { once } from "node:events";
import { localTime } from "../base/day.ts";
import type { Cell, Column, Document, Kind, TotalRow } from "./document.ts";
import { openPageCount, type PageCount } from "./pdf/page-count.ts";
import {
  type Box,
  card,
  color,
  contentWidth,
  flush,
  openPaper,
  type Paper,
  page,
  rule,
  type Style,
  style,
  widthOf,
  wrap,
  write,
  writeFigure,
} from "./pdf/paper.ts";
import { chartBoxes, chartHeight, drawChart } from "./pdf-charts.ts";
import { cellText, dayText, hoursText, timeText } from "./pdf-text.ts";

const lineHeight = 12;
const rowPadding = 3.5;

/** The height of the heading with two rows, which are not separated from it. */
const firstRows = 110;

/** Maximum number of lines of a cell. */
const maxLines = 4;

/** The lowest end of the contents of a page, above the footer. */
const bottom = page.height - page.margin - 8;

/** The file, the position of the next line on the current page, and what each page repeats. */
type Writer = { paper: Paper; y: number; pages: number; pageCount: PageCount; document: Document };

/**
 * Writes a report on landscape A4: the workspace, the title, the period, the filters, totals, charts, and rows with a heading on
 * each page. Pages are written while their rows are read.
 */
export async function* pdf(document: Document): AsyncGenerator<Uint8Array, void, undefined> {
  const { workspace, title, created } = document;
  const paper = openPaper({ title: `${title}, ${workspace}`, author: workspace, created });
  const chunks: Uint8Array[] = [];
  paper.pdf.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  const ended = once(paper.pdf, "end");
  const writer = { paper, y: 0, pages: 0, pageCount: openPageCount(paper), document };

  turnPage(writer);
  writeHeader(writer);
  writeFigures(writer);
  drawCharts(writer);
  yield* chunks.splice(0);

  const columns = printedColumns(document.columns);
  if (writer.y + firstRows > bottom) turnPage(writer);
  writeHead(writer, columns);
  let isEmpty = true;
  for await (const batch of document.rows) {
    if (batch.length > 0) isEmpty = false;
    for (const cells of batch) writeRow(writer, columns, cells);
    yield* chunks.splice(0);
  }
  if (isEmpty) writeNotice(writer);
  if (document.totalRows.length > 0) writeTotals(writer, columns);
  writer.pageCount.end(writer.pages);
  flush(paper);
  paper.pdf.end();
  await ended;
  yield* chunks;
}

/** Says below the heading that there are no rows, so that the file does not look incomplete. */
function writeNotice(writer: Writer): void {
  const y = writer.y + 2 * lineHeight;
  const spot = { x: page.margin, y, width: contentWidth };
  write(writer.paper, "No time entries match this report.", spot, style.muted);
  writer.y += 4 * lineHeight;
}

function turnPage(writer: Writer): void {
  const { paper, document, pageCount } = writer;
  flush(paper);
  paper.pdf.addPage();
  writer.pages++;
  writer.y = page.margin;
  const y = page.height - 28;
  rule(paper, page.margin, y - 12, contentWidth);
  // The workspace is isolated, so that a name from right to left does not turn the line.
  const about = `\u2068${document.workspace}\u2069 · ${document.title} · ${periodText(document)}`;
  write(paper, about, { x: page.margin, y, width: contentWidth - 160 }, style.muted);
  pageCount.write(writer.pages, y);
}

function periodText({ from, to }: Document): string {
  return from === to ? dayText(from) : `${dayText(from)} – ${dayText(to)}`;
}

/** Writes the workspace, the title and the period, and at the right what the report was made from. */
function writeHeader(writer: Writer): void {
  const { paper, document } = writer;
  const facts = factsOf(document);
  const half = contentWidth * 0.52;
  const left = { x: page.margin, width: half };
  write(paper, document.workspace, { ...left, y: writer.y + 7 }, style.name);
  write(paper, document.title, { ...left, y: writer.y + 30 }, style.title);
  write(paper, periodText(document), { ...left, y: writer.y + 54 }, { ...style.text, size: 12 });
  const labels = Math.max(...facts.map(([name]) => widthOf(paper, name, style.label))) + 16;
  const x = page.margin + half + 16;
  let y = writer.y + 7;
  for (const [name, value] of facts) {
    write(paper, name, { x, y, width: labels }, style.label);
    const lines = wrap(paper, value, page.margin + contentWidth - x - labels, style.text, 2);
    for (const line of lines) {
      write(paper, line, { x: x + labels, y, width: page.margin + contentWidth - x - labels }, style.text);
      y += 14;
    }
  }
  writer.y = Math.max(writer.y + 70, y) + 8;
}

function factsOf({ timezone, created, filters }: Document): [name: string, value: string][] {
  const at = timeText(localTime(timezone, created));
  return [
    ["Time zone", timezone],
    ["Created", `${at} (${timeText(created.toISOString()).slice(-5)} UTC)`],
    ...(filters.length === 0 ? [["Filters", "none"] as const] : filters),
  ].map(([name, value]) => [name, value]);
}

const figureHeight = 58;

/** Writes the totals as a card that hairlines divide, with up to five figures in a row. */
function writeFigures(writer: Writer): void {
  const { paper, document } = writer;
  const { totals } = document;
  const rows = Math.ceil(totals.length / 5);
  const perRow = Math.ceil(totals.length / rows);
  const [time] = totals;
  for (let row = 0; row < rows; row++) {
    if (writer.y + figureHeight > bottom) turnPage(writer);
    const shown = totals.slice(row * perRow, (row + 1) * perRow);
    const box = { x: page.margin, y: writer.y, width: contentWidth, height: figureHeight };
    card(paper, box);
    const width = contentWidth / perRow;
    const figure = figureStyle(paper, shown, width - 28);
    for (const [at, { name, value, kind }] of shown.entries()) {
      const x = box.x + at * width;
      if (at > 0) line(paper, x, box);
      const spot = { x: x + 14, width: width - 28 };
      write(paper, name, { ...spot, y: box.y + 14 }, style.label);
      write(paper, cellText(value, kind), { ...spot, y: box.y + 31 }, figure);
      const note = row === 0 ? noteOf(value, kind, time?.value ?? 0, at) : "";
      write(paper, note, { ...spot, y: box.y + 47 }, { ...style.muted, tabular: true });
    }
    writer.y += figureHeight + 12;
  }
}

/** Returns the style of the figures of a row: all have the size at which the widest one fits. */
function figureStyle(paper: Paper, totals: Document["totals"], width: number): Style {
  const widest = Math.max(
    ...totals.map(({ value, kind }) => widthOf(paper, cellText(value, kind), style.figure)),
  );
  return { ...style.figure, size: style.figure.size * Math.min(1, width / (widest + 0.1)) };
}

/** The note below a figure: a duration in decimal hours and, for the billable time, as a share of all time. */
function noteOf(value: Cell, kind: Kind, all: Cell, at: number): string {
  if (kind !== "duration") return "";
  const hours = `${hoursText(Number(value))} hours`;
  if (at === 0 || Number(all) === 0) return hours;
  return `${hours}, ${Math.round((Number(value) / Number(all)) * 100)} %`;
}

function line({ pdf }: Paper, x: number, { y, height }: Box): void {
  pdf
    .moveTo(x, y)
    .lineTo(x, y + height)
    .lineWidth(0.6)
    .strokeColor(color.border)
    .stroke();
}

/** Draws the charts in rows of two. Those without a figure other than zero would be blank. */
function drawCharts(writer: Writer): void {
  const { paper, document } = writer;
  const charts = document.charts.filter(({ series }) =>
    series.some(({ data }) => data.some((value) => Number(value) !== 0)),
  );
  for (let at = 0; at < charts.length; at += 2) {
    if (writer.y + chartHeight > bottom) turnPage(writer);
    const pair = charts.slice(at, at + 2);
    const boxes = chartBoxes(pair.length, writer.y);
    for (const [index, chart] of pair.entries()) {
      const box = boxes[index];
      if (box) drawChart(paper, chart, box);
    }
    writer.y += chartHeight + 12;
  }
}

/** A column of the table. `under` is the index of the column that is shown below it in the same row. */
type PrintedColumn = Column & {
  at: number;
  under: { at: number; column: Column } | undefined;
  x: number;
  inner: number;
  align: "left" | "right";
};

/** The columns that are shown below others, in muted text, if the report has both. */
const pairs: Readonly<Record<string, { name: string; title: string }>> = {
  started_local: { name: "started_at", title: "UTC" },
  ended_local: { name: "ended_at", title: "UTC" },
  description: { name: "tags", title: "Tags" },
  duration: { name: "hours", title: "Hours" },
  billable_duration: { name: "billable_hours", title: "Hours" },
  amount: { name: "billable", title: "Billable" },
};

/** Widths in points of the kinds whose contents have a known length. Text shares the rest. */
const kindWidths: Partial<Record<Kind, number>> = {
  day: 60,
  local: 46,
  instant: 46,
  duration: 52,
  seconds: 52,
  hours: 56,
  count: 46,
  decimal: 54,
  money: 92,
};
const columnGap = 12;

/** Texts of a few characters, which need no share of the rest. */
const narrowNames: Readonly<Record<string, number>> = { billable: 40, currency: 48 };

/** Returns the positions of the columns. If there are too many, all become narrower. */
function printedColumns(columns: readonly Column[]): PrintedColumn[] {
  const hasDay = columns.some(({ name }) => name === "day");
  const under = (name: string) => {
    const pair = pairs[name];
    const at = columns.findIndex((column) => column.name === pair?.name);
    const column = columns[at];
    return pair && column ? { at, column: { ...column, title: pair.title } } : undefined;
  };
  const lower = new Set(columns.map(({ name }) => under(name)?.at));
  const upper = columns.flatMap((column, at) =>
    lower.has(at) ? [] : [{ ...column, at, under: under(column.name), align: alignOf(column.kind) }],
  );
  const fixed = upper.map(({ kind, name }) => {
    // Times without a day beside them have their date.
    if (!hasDay && (kind === "local" || kind === "instant")) return 100;
    return kindWidths[kind] ?? narrowNames[name];
  });
  const room = contentWidth - columnGap * (upper.length - 1);
  const taken = fixed.reduce<number>((sum, width) => sum + (width ?? 0), 0);
  const texts = upper.filter((_, at) => fixed[at] === undefined);
  const shares = texts.reduce((sum, { width }) => sum + Math.sqrt(width), 0);
  // Text keeps at least 40 points per column.
  const rest = Math.max(room - taken, texts.length * 40);
  const scale = room / Math.max(taken + (texts.length > 0 ? rest : 0), room);
  let x: number = page.margin;
  return upper.map((column, at) => {
    const inner = (fixed[at] ?? (rest * Math.sqrt(column.width)) / shares) * scale;
    const printed = { ...column, x, inner };
    x += inner + columnGap;
    return printed;
  });
}

function alignOf(kind: Kind): "left" | "right" {
  return kind === "text" || kind === "day" || kind === "local" || kind === "instant" ? "left" : "right";
}

/** A line of a cell: its text, and whether it belongs to the column below. */
type CellLine = { text: string; isUnder: boolean };

function writeHead(writer: Writer, columns: readonly PrintedColumn[]): void {
  const { paper } = writer;
  const titles = columns.map(({ title, inner, under }) => [
    ...wrap(paper, title, inner, style.head, 2),
    ...(under ? [under.column.title] : []),
  ]);
  const lines = Math.max(...titles.map((one) => one.length));
  for (const [at, { x, inner, align }] of columns.entries())
    for (const [index, title] of (titles[at] ?? []).entries()) {
      const y = writer.y + 6 + (index + 0.5) * lineHeight;
      write(paper, title, { x, y, width: inner, align }, index === 0 ? style.head : style.muted);
    }
  writer.y += lines * lineHeight + 10;
  rule(paper, page.margin, writer.y, contentWidth, "#c9c9d4");
}

function writeRow(writer: Writer, columns: readonly PrintedColumn[], cells: readonly Cell[]): void {
  const day = dayOf(columns, cells);
  const lines = columns.map((column) => cellLines(writer.paper, column, cells, day));
  const height = Math.max(...lines.map((one) => one.length)) * lineHeight + 2 * rowPadding;
  if (writer.y + height > bottom) {
    turnPage(writer);
    writeHead(writer, columns);
  }
  writeCells(writer, columns, lines, styleOf);
  writer.y += height;
  rule(writer.paper, page.margin, writer.y, contentWidth);
}

/** Returns the day of a row, to which its times refer. */
function dayOf(columns: readonly PrintedColumn[], cells: readonly Cell[]): string | undefined {
  const day = cells[columns.find(({ name }) => name === "day")?.at ?? -1];
  return typeof day === "string" ? day : undefined;
}

function cellLines(
  paper: Paper,
  { at, under, kind, name, inner, align }: PrintedColumn,
  cells: readonly Cell[],
  day: string | undefined,
): CellLine[] {
  const linesOf = (text: string, most: number) =>
    align === "right" || text === "" ? [text] : wrap(paper, text, inner, styleOf(kind), most);
  const upper = linesOf(textOf(cells[at] ?? null, kind, name, day), maxLines);
  const lower = under && textOf(cells[under.at] ?? null, under.column.kind, under.column.name, day);
  return [
    ...upper.map((text) => ({ text, isUnder: false })),
    ...(lower ? linesOf(lower, 2).map((text) => ({ text, isUnder: true })) : []),
  ];
}

function textOf(cell: Cell, kind: Kind, name: string, day: string | undefined): string {
  const text = cellText(cell, kind, day);
  if (name !== "billable") return text;
  return text === "yes" ? "Billable" : "Not billable";
}

function styleOf(kind: Kind): Style {
  return kind === "text" ? style.text : style.number;
}

function writeCells(
  { paper, y }: Writer,
  columns: readonly PrintedColumn[],
  lines: readonly (readonly CellLine[])[],
  styleFor: (kind: Kind) => Style,
): void {
  columns.forEach(({ x, inner, align, kind }, at) => {
    const of = styleFor(kind);
    lines[at]?.forEach(({ text, isUnder }, index) => {
      const spot = { x, y: y + rowPadding + (index + 0.5) * lineHeight, width: inner, align };
      const shown = isUnder ? { ...of, color: color.muted } : of;
      if (align === "right") writeFigure(paper, text, spot, shown);
      else write(paper, text, spot, shown);
    });
  });
}

/** Writes the totals below the table, on one page. */
function writeTotals(writer: Writer, columns: readonly PrintedColumn[]): void {
  const { paper, document } = writer;
  const rows = document.totalRows.map(({ label, cells }) => {
    const lines = columns.map((column) => totalLines(column, cells));
    return {
      label,
      lines,
      height: Math.max(...lines.map((one) => one.length)) * lineHeight + 2 * rowPadding,
    };
  });
  if (writer.y + rows.reduce((sum, { height }) => sum + height, 0) > bottom) {
    turnPage(writer);
    writeHead(writer, columns);
  }
  rule(paper, page.margin, writer.y, contentWidth, color.muted);
  for (const { label, lines, height } of rows) {
    // The label may reach over the columns up to the first figure.
    const first = columns.find((_, at) => lines[at]?.some(({ text }) => text !== ""));
    const width = (first?.x ?? page.width) - page.margin - columnGap;
    write(paper, label, { x: page.margin, y: writer.y + rowPadding + lineHeight / 2, width }, style.total);
    writeCells(writer, columns, lines, () => style.total);
    writer.y += height;
    rule(paper, page.margin, writer.y, contentWidth);
  }
}

/** Returns the figures of a column in a row of totals, with that of the column below it. */
function totalLines({ at, under, kind }: PrintedColumn, cells: TotalRow["cells"]): CellLine[] {
  const upper = cellText(cells[at] ?? null, kind);
  const lower = under ? cellText(cells[under.at] ?? null, under.column.kind) : "";
  return [{ text: upper, isUnder: false }, ...(lower === "" ? [] : [{ text: lower, isUnder: true }])];
}
