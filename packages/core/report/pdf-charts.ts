import type { Chart } from "./chart.ts";
import { formatDuration } from "./document.ts";
import { type Box, ink, type Paper, size, strokePale, writeText } from "./pdf-paper.ts";

const colors = [
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

/** Maximum number of slices of a pie, so that their colors differ. Smaller ones are combined. */
const maxSlices = colors.length;

/** Draws a chart with its title into a box. */
export function drawChart(paper: Paper, chart: Chart, box: Box): void {
  const title = `${chart.title}${chart.unit === "seconds" ? ", hours" : ""}`;
  writeText(paper, title, box, size.text);
  const inner = { x: box.x, y: box.y + 16, width: box.width, height: box.height - 30 };
  const series = chart.series.map(({ name, data }) => ({ name, values: data.map(Number) }));
  if (chart.type === "pie") drawPie(paper, chart.labels, series[0]?.values ?? [], inner);
  else drawPlot(paper, chart, series, inner);
}

type Series = { name: string; values: readonly number[] };

/** The coordinates of a plot: `step` is the width of a label, `height` converts a value. */
type Axes = { left: number; floor: number; step: number; height: (value: number) => number };

/** Draws bars or lines over an axis from the first label to the last. */
function drawPlot(paper: Paper, chart: Chart, series: readonly Series[], inner: Box): void {
  const stacked = chart.labels.map((_, at) =>
    series.reduce((total, { values }) => total + (values[at] ?? 0), 0),
  );
  const most = Math.max(...stacked, 0) || 1;
  const left = inner.x + 48;
  const axes: Axes = {
    left,
    floor: inner.y + inner.height,
    step: (inner.x + inner.width - left) / Math.max(chart.labels.length, 1),
    height: (value) => (value / most) * inner.height,
  };
  drawAxes(paper, chart, most, axes, inner);
  if (chart.type === "line") drawLines(paper, series, axes);
  else drawBars(paper, chart.labels.length, series, axes);
  writeAxisLabels(paper, chart.labels, axes, inner);
  if (series.length > 1) {
    const box = { x: left + inner.width / 3, y: axes.floor + 3, width: inner.width / 3, height: 0 };
    const names = series.map(({ name }) => name);
    drawLegend(paper, names, box);
  }
}

function drawAxes(paper: Paper, chart: Chart, most: number, { left, floor }: Axes, inner: Box): void {
  const scale = chart.unit === "seconds" ? formatDuration(Math.round(most)) : String(most);
  writeText(paper, scale, { ...inner, width: 44 }, size.row);
  paper
    .moveTo(left, inner.y)
    .lineTo(left, floor)
    .lineTo(inner.x + inner.width, floor);
  strokePale(paper);
}

function drawLines(paper: Paper, series: readonly Series[], { left, floor, step, height }: Axes): void {
  for (const { values } of series) {
    values.forEach((value, at) => {
      const [x, y] = [left + (at + 0.5) * step, floor - height(value)];
      if (at === 0) paper.moveTo(x, y);
      else paper.lineTo(x, y);
    });
    paper
      .lineWidth(1)
      .strokeColor(colors[0] ?? ink)
      .stroke();
  }
}

/** Draws stacked bars. */
function drawBars(
  paper: Paper,
  count: number,
  series: readonly Series[],
  { left, floor, step, height }: Axes,
): void {
  for (let at = 0; at < count; at++) {
    let top = floor;
    for (const [index, { values }] of series.entries()) {
      const tall = height(values[at] ?? 0);
      top -= tall;
      if (tall > 0)
        paper.rect(left + at * step + step * 0.1, top, step * 0.8, tall).fill(colors[index] ?? ink);
    }
  }
}

/** Writes the first and the last label. */
function writeAxisLabels(paper: Paper, labels: readonly string[], { left, floor }: Axes, inner: Box): void {
  const last = labels.length > 1 ? (labels.at(-1) ?? "") : "";
  const y = floor + 3;
  writeText(paper, labels[0] ?? "", { x: left, y, width: inner.width / 3, height: 0 }, size.row);
  writeText(paper, last, { x: inner.x + inner.width - 90, y, width: 90, height: 0 }, size.row, true);
}

function drawLegend(paper: Paper, names: readonly string[], { x, y, width }: Box): void {
  const each = width / names.length;
  names.forEach((name, at) => {
    paper.rect(x + at * each, y + 1, 6, 6).fill(colors[at] ?? ink);
    writeText(paper, name, { x: x + at * each + 9, y, width: each - 10, height: 0 }, size.row);
  });
}

type Slice = { label: string; value: number };

/** Returns the slices from the largest to the smallest. Those that exceed `maxSlices` are combined as "Others". */
function slicesOf(labels: readonly string[], values: readonly number[]): Slice[] {
  const all = values
    .map((value, at) => ({ label: labels[at] ?? "", value }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value);
  const rest = all.slice(maxSlices - 1);
  if (rest.length <= 1) return all;
  const others = { label: "Others", value: rest.reduce((sum, { value }) => sum + value, 0) };
  return [...all.slice(0, maxSlices - 1), others];
}

function drawPie(
  paper: Paper,
  labels: readonly string[],
  values: readonly number[],
  { x, y, width, height }: Box,
): void {
  const slices = slicesOf(labels, values);
  const whole = slices.reduce((total, { value }) => total + value, 0);
  const radius = height / 2;
  let angle = -Math.PI / 2;
  slices.forEach(({ label, value }, at) => {
    const next = angle + (value / whole) * 2 * Math.PI;
    const color = colors[at] ?? ink;
    if (value === whole) paper.circle(x + radius, y + radius, radius);
    else slicePath(paper, x + radius, y + radius, radius, angle, next);
    paper.fill(color);
    angle = next;
    const line = { x: x + height + 16, y: y + at * 12, width: width - height - 16, height: 0 };
    paper.rect(line.x, line.y + 1, 6, 6).fill(color);
    writeText(paper, label, { ...line, x: line.x + 10, width: line.width - 70 }, size.row);
    writeText(paper, formatDuration(value), line, size.row, true);
  });
}

/** Adds the path of a slice between two angles in radians, as an SVG arc. */
function slicePath(paper: Paper, cx: number, cy: number, radius: number, start: number, end: number): void {
  const point = (angle: number) => `${cx + radius * Math.cos(angle)} ${cy + radius * Math.sin(angle)}`;
  const isLarge = end - start > Math.PI ? 1 : 0;
  paper.path(`M ${cx} ${cy} L ${point(start)} A ${radius} ${radius} 0 ${isLarge} 1 ${point(end)} Z`);
}
