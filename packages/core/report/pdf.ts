import { once } from "node:events";
import PDFDocument from "pdfkit";
import type { Chart } from "./chart.ts";
import { type Cell, type Column, clock, type Document, type Kind } from "./document.ts";
import { font } from "./font.ts";

const margin = 36;
const size = { title: 16, text: 9, row: 7 };
const rowHeight = 11;
const chartHeight = 150;
const colours = [
  "#2563eb",
  "#d97706",
  "#059669",
  "#db2777",
  "#7c3aed",
  "#0891b2",
  "#dc2626",
  "#65a30d",
  "#64748b",
];
const ink = "#111827";
const pale = "#d1d5db";

/** Slices of a pie that can be told apart; what is smaller is one slice together. */
const slices = colours.length;

type Paper = PDFKit.PDFDocument;
type Box = { x: number; y: number; width: number; height: number };

/**
 * The report on landscape A4: what it is of, its totals, its charts as drawings, and its rows with a heading on each page.
 * Pages are written as their rows are read.
 */
export async function* pdf(document: Document, now: Date): AsyncGenerator<Uint8Array, void, undefined> {
  const paper = new PDFDocument({
    size: "A4",
    layout: "landscape",
    margin,
    font: null as unknown as string, // none of the built-in fonts, which know few letters
    info: { Title: document.title, CreationDate: now },
  });
  const chunks: Uint8Array[] = [];
  paper.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  const ended = once(paper, "end");
  paper.registerFont("text", Buffer.from(await font()));
  paper.font("text");
  const width = paper.page.width - 2 * margin;
  const bottom = paper.page.height - margin;

  let y = margin;
  const line = (text: string, points: number) => {
    say(paper, text, { x: margin, y, width, height: 0 }, points);
    y += points * 1.5;
  };
  line(document.title, size.title);
  line(`${document.from} to ${document.to}, days in ${document.timezone}`, size.text);
  for (const [name, figure, kind] of document.totals) {
    if (y > bottom - size.text * 2) y = turn(paper);
    line(`${name}: ${printed(figure, kind)}`, size.text);
  }
  for (const [at, chart] of document.charts.entries()) {
    const left = at % 2 === 0;
    if (left && y + chartHeight + 20 > bottom) y = turn(paper);
    const box = {
      x: margin + (left ? 0 : width / 2 + 8),
      y: y + 8,
      width: width / 2 - 8,
      height: chartHeight,
    };
    draw(paper, chart, box);
    if (!left || at === document.charts.length - 1) y += chartHeight + 20;
  }
  yield* chunks.splice(0);

  const columns = placed(document.columns, width);
  const heading = () => {
    y += 6;
    for (const { column, box } of columns)
      say(paper, column.title, { ...box, y }, size.row, right(column.kind));
    y += rowHeight;
    paper
      .moveTo(margin, y - 2)
      .lineTo(margin + width, y - 2)
      .lineWidth(0.5)
      .strokeColor(pale)
      .stroke();
  };
  if (y + 4 * rowHeight > bottom) y = turn(paper);
  heading();
  for await (const some of document.rows) {
    for (const cells of some) {
      if (y + rowHeight > bottom) {
        y = turn(paper);
        heading();
      }
      for (const { column, at, box } of columns)
        say(paper, printed(cells[at] ?? null, column.kind), { ...box, y }, size.row, right(column.kind));
      y += rowHeight;
    }
    yield* chunks.splice(0);
  }
  paper.end();
  await ended;
  yield* chunks;
}

function turn(paper: Paper): number {
  paper.addPage();
  return margin;
}

/** The printed columns with their places on the page. */
function placed(columns: readonly Column[], width: number) {
  const whole = columns.reduce((total, column) => total + column.width, 0);
  let x = margin;
  return columns.flatMap((column, at) => {
    if (column.width === 0) return [];
    const box = { x, y: 0, width: (width * column.width) / whole - 4, height: rowHeight };
    x += box.width + 4;
    return [{ column, at, box }];
  });
}

function printed(cell: Cell, kind: Kind): string {
  if (cell === null) return "";
  return kind === "seconds" ? clock(Number(cell)) : String(cell).replace(/\s+/g, " ");
}

function right(kind: Kind): boolean {
  return kind !== "text";
}

/** One line of text, cut off where its box ends. */
function say(paper: Paper, text: string, { x, y, width }: Box, points: number, toTheRight = false): void {
  if (text === "") return;
  paper.fontSize(points).fillColor(ink);
  const fitting = fit(paper, text, width, points);
  const start = toTheRight ? x + width - paper.widthOfString(fitting) : x;
  paper.text(fitting, start, y, { lineBreak: false });
}

function fit(paper: Paper, text: string, width: number, points: number): string {
  // No letter is wider than its height, so short texts need no measuring.
  if (text.length * points <= width || paper.widthOfString(text) <= width) return text;
  const letters = [...text];
  let [fits, tooMany] = [0, letters.length];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (paper.widthOfString(`${letters.slice(0, middle).join("")}…`) <= width) fits = middle;
    else tooMany = middle;
  }
  return `${letters.slice(0, fits).join("")}…`;
}

function draw(paper: Paper, chart: Chart, box: Box): void {
  const title = `${chart.title}${chart.unit === "seconds" ? ", hours" : ""}`;
  say(paper, title, box, size.text);
  const inner = { x: box.x, y: box.y + 16, width: box.width, height: box.height - 30 };
  const series = chart.series.map(({ name, data }) => ({ name, values: data.map(Number) }));
  if (chart.type === "pie") pie(paper, chart.labels, series[0]?.values ?? [], inner);
  else plot(paper, chart, series, inner);
}

type Series = { name: string; values: readonly number[] };

/** Bars or lines over an axis from the first label to the last. */
function plot(paper: Paper, chart: Chart, series: readonly Series[], inner: Box): void {
  const stacked = chart.labels.map((_, at) =>
    series.reduce((total, { values }) => total + (values[at] ?? 0), 0),
  );
  const most = Math.max(...stacked, 0) || 1;
  const scale = chart.unit === "seconds" ? clock(Math.round(most)) : String(most);
  const left = inner.x + 48;
  const step = (inner.x + inner.width - left) / Math.max(chart.labels.length, 1);
  const floor = inner.y + inner.height;
  say(paper, scale, { ...inner, width: 44 }, size.row);
  paper
    .moveTo(left, inner.y)
    .lineTo(left, floor)
    .lineTo(inner.x + inner.width, floor);
  paper.lineWidth(0.5).strokeColor(pale).stroke();
  const height = (value: number) => (value / most) * inner.height;
  if (chart.type === "line") {
    for (const { values } of series) {
      values.forEach((value, at) => {
        const [x, y] = [left + (at + 0.5) * step, floor - height(value)];
        if (at === 0) paper.moveTo(x, y);
        else paper.lineTo(x, y);
      });
      paper
        .lineWidth(1)
        .strokeColor(colours[0] ?? ink)
        .stroke();
    }
  } else
    for (const at of chart.labels.keys()) {
      let top = floor;
      for (const [index, { values }] of series.entries()) {
        const tall = height(values[at] ?? 0);
        top -= tall;
        if (tall > 0)
          paper.rect(left + at * step + step * 0.1, top, step * 0.8, tall).fill(colours[index] ?? ink);
      }
    }
  const ends = [chart.labels[0] ?? "", chart.labels.length > 1 ? (chart.labels.at(-1) ?? "") : ""];
  say(paper, ends[0] ?? "", { x: left, y: floor + 3, width: inner.width / 3, height: 0 }, size.row);
  const end = inner.x + inner.width;
  say(paper, ends[1] ?? "", { x: end - 90, y: floor + 3, width: 90, height: 0 }, size.row, true);
  if (series.length > 1)
    legend(
      paper,
      series.map(({ name }) => name),
      { x: left + inner.width / 3, y: floor + 3, width: inner.width / 3, height: 0 },
    );
}

function legend(paper: Paper, names: readonly string[], { x, y, width }: Box): void {
  const each = width / names.length;
  names.forEach((name, at) => {
    paper.rect(x + at * each, y + 1, 6, 6).fill(colours[at] ?? ink);
    say(paper, name, { x: x + at * each + 9, y, width: each - 10, height: 0 }, size.row);
  });
}

function pie(
  paper: Paper,
  labels: readonly string[],
  values: readonly number[],
  { x, y, width, height }: Box,
): void {
  const all = values
    .map((value, at) => ({ label: labels[at] ?? "", value }))
    .filter(({ value }) => value > 0);
  all.sort((a, b) => b.value - a.value);
  const rest = all.slice(slices - 1);
  const shown =
    rest.length > 1
      ? [
          ...all.slice(0, slices - 1),
          { label: "Others", value: rest.reduce((sum, { value }) => sum + value, 0) },
        ]
      : all;
  const whole = shown.reduce((total, { value }) => total + value, 0);
  const radius = height / 2;
  const [cx, cy] = [x + radius, y + radius];
  let angle = -Math.PI / 2;
  shown.forEach(({ label, value }, at) => {
    const next = angle + (value / whole) * 2 * Math.PI;
    const point = (a: number) => `${cx + radius * Math.cos(a)} ${cy + radius * Math.sin(a)}`;
    if (value === whole) paper.circle(cx, cy, radius);
    else
      paper.path(
        `M ${cx} ${cy} L ${point(angle)} A ${radius} ${radius} 0 ${next - angle > Math.PI ? 1 : 0} 1 ${point(next)} Z`,
      );
    paper.fill(colours[at] ?? ink);
    angle = next;
    const line = { x: x + height + 16, y: y + at * 12, width: width - height - 16, height: 0 };
    paper.rect(line.x, line.y + 1, 6, 6).fill(colours[at] ?? ink);
    say(paper, label, { ...line, x: line.x + 10, width: line.width - 70 }, size.row);
    say(paper, clock(value), line, size.row, true);
  });
}
