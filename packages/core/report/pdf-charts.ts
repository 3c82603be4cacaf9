import type { Chart } from "./chart.ts";
import {
  type Box,
  card,
  color,
  contentWidth,
  flush,
  type Paper,
  page,
  rule,
  style,
  widthOf,
  write,
  writeFigure,
} from "./pdf/paper.ts";
import { durationText, shortDayText } from "./pdf-text.ts";

/** The colours of projects in the design language, without slate, which the rest has. */
const colors = ["#2f7fe6", "#dd6526", "#10998a", "#8a5fdc", "#b87d10", "#cf49a0"] as const;
const slate = "#767c8d";

/** Maximum number of parts of a donut beside "Other". */
const maxParts = colors.length;

const gap = 16;
export const chartHeight = 166;
const padding = 14;

/** Returns the boxes of the charts of one row. A chart without a neighbour has the whole width. */
export function chartBoxes(count: number, y: number): Box[] {
  const width = count === 1 ? contentWidth : (contentWidth - gap) / 2;
  return Array.from({ length: count }, (_, at) => ({
    x: page.margin + at * (width + gap),
    y,
    width,
    height: chartHeight,
  }));
}

/** Draws a chart with its title as a card. */
export function drawChart(paper: Paper, chart: Chart, box: Box): void {
  card(paper, box);
  const { x, y, width, height } = box;
  const unit = chart.unit === "seconds" ? "Hours" : chart.unit;
  const title = chart.title.replace(new RegExp(`, ${chart.unit}$`), "");
  write(paper, title, { x: x + padding, y: y + 18, width: width - 2 * padding - 60 }, style.cardTitle);
  write(paper, unit, { x: x + padding, y: y + 18, width: width - 2 * padding, align: "right" }, style.muted);
  const inner = { x: x + padding, y: y + 36, width: width - 2 * padding, height: height - 36 - 12 };
  const series = chart.series.map(({ name, data }) => ({ name, values: data.map(Number) }));
  if (chart.type === "pie") drawDonut(paper, chart.labels, series[0]?.values ?? [], inner);
  else drawPlot(paper, chart, series, inner);
}

type Series = { name: string; values: readonly number[] };

/** The coordinates of a plot: `step` is the width of a label, `height` converts a value. */
type Axes = { left: number; right: number; floor: number; step: number; height: (value: number) => number };

/** Draws bars or a line over an axis from the first label to the last. */
function drawPlot(paper: Paper, chart: Chart, series: readonly Series[], inner: Box): void {
  const used = series.filter(({ values }) => values.some((value) => value !== 0));
  const sums = chart.labels.map((_, at) => used.reduce((total, { values }) => total + (values[at] ?? 0), 0));
  const unit = chart.unit === "seconds" ? 3600 : 1;
  const ticks = ticksUpTo(Math.max(...sums, 0) / unit).map((tick) => tick * unit);
  const top = ticks.at(-1) ?? 1;
  const hasLegend = series.length > 1;
  const plot = { ...inner, height: inner.height - 16 - (hasLegend ? 18 : 0) };
  const texts = ticks.map((tick) => tickText(tick / unit));
  const labelWidth = Math.max(...texts.map((text) => widthOf(paper, text, axisStyle)));
  const left = plot.x + labelWidth + 8;
  const axes: Axes = {
    left,
    right: plot.x + plot.width,
    floor: plot.y + plot.height,
    step: (plot.x + plot.width - left) / Math.max(chart.labels.length, 1),
    height: (value) => (value / top) * plot.height,
  };
  for (const [at, tick] of ticks.entries()) {
    const y = axes.floor - axes.height(tick);
    rule(paper, left, y, axes.right - left);
    write(paper, texts[at] ?? "", { x: plot.x, y, width: labelWidth, align: "right" }, axisStyle);
  }
  // The bars cover the lines.
  flush(paper);
  // A line needs two points.
  if (chart.type === "line" && chart.labels.length > 1) drawLine(paper, used[0]?.values ?? [], axes);
  else
    drawBars(
      paper,
      chart.labels.length,
      used.map((one) => ({ ...one, color: barColor(one, series) })),
      axes,
    );
  writeAxisLabels(paper, chart.labels, axes);
  if (hasLegend) drawLegend(paper, series, { ...inner, y: inner.y + inner.height - 3 });
}

const axisStyle = { ...style.muted, tabular: true };

/** The first series has the accent, the second one is neutral. */
function barColor(one: Series, series: readonly Series[]): string {
  return series.findIndex(({ name }) => name === one.name) === 0 ? color.accent : "#a9aebd";
}

/** Returns at most six round values from zero to the first one that reaches `most`. */
function ticksUpTo(most: number): number[] {
  if (most <= 0) return [0, 1];
  const magnitude = 10 ** Math.floor(Math.log10(most / 4));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * magnitude).find((one) => most / one <= 5) ?? most;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, at) => at * step);
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

function tickText(value: number): string {
  return value >= 100_000 ? compact.format(value) : whole.format(value);
}

function drawLine({ pdf }: Paper, values: readonly number[], { left, floor, step, height }: Axes): void {
  values.forEach((value, at) => {
    const [x, y] = [left + (at + 0.5) * step, floor - height(value)];
    if (at === 0) pdf.moveTo(x, y);
    else pdf.lineTo(x, y);
  });
  if (values.length > 1) pdf.lineWidth(1.5).lineJoin("round").strokeColor(color.accent).stroke();
  if (values.length <= 31)
    for (const [at, value] of values.entries())
      pdf.circle(left + (at + 0.5) * step, floor - height(value), 1.8).fill(color.accent);
}

/** Draws stacked bars with gaps of 1.5 points between the segments and a round top. */
function drawBars(
  { pdf }: Paper,
  count: number,
  series: readonly (Series & { color: string })[],
  { left, floor, step, height }: Axes,
): void {
  const width = Math.min(step * 0.68, 28);
  for (let at = 0; at < count; at++) {
    const segments = series.filter(({ values }) => (values[at] ?? 0) > 0);
    let top = floor;
    for (const [index, { values, color: fill }] of segments.entries()) {
      const tall = height(values[at] ?? 0);
      const between = index > 0 && tall > 3 ? 1.5 : 0;
      const radius = index === segments.length - 1 ? Math.min(3, width / 2, tall) : 0;
      top -= tall;
      const x = left + (at + 0.5) * step - width / 2;
      const bottom = top + tall - between;
      pdf
        .moveTo(x, bottom)
        .lineTo(x, top + radius)
        .quadraticCurveTo(x, top, x + radius, top)
        .lineTo(x + width - radius, top)
        .quadraticCurveTo(x + width, top, x + width, top + radius)
        .lineTo(x + width, bottom)
        .fill(fill);
    }
  }
}

/** Shortens days, weeks and months, such as `20 Nov` for `2026-11-20` and `Nov 2026` for `November 2026`. */
function axisLabel(label: string): string {
  const [, day] = /^(?:Week of )?(\d{4}-\d\d-\d\d)$/.exec(label) ?? [];
  if (day !== undefined) return shortDayText(day);
  return label.replace(/^([A-Z][a-z]{2})[a-z]* (\d{4})$/, "$1 $2");
}

/** Writes as many labels as have room, at equal distances. */
function writeAxisLabels(paper: Paper, labels: readonly string[], { left, floor, step }: Axes): void {
  const texts = labels.map(axisLabel);
  const widest = Math.max(...texts.map((text) => Math.min(widthOf(paper, text, axisStyle), 90)));
  const every = Math.max(1, Math.ceil((widest + 10) / step));
  for (let at = 0; at < texts.length; at += every) {
    const center = left + (at + 0.5) * step;
    const width = Math.min(every * step, 100);
    const spot = { x: center - width / 2, y: floor + 9, width, align: "center" } as const;
    write(paper, texts[at] ?? "", spot, axisStyle);
  }
}

function drawLegend(paper: Paper, series: readonly Series[], { x, y, width }: Box): void {
  let at = x;
  for (const one of series) {
    paper.pdf.circle(at + 3, y, 3).fill(barColor(one, series));
    write(paper, one.name, { x: at + 10, y, width: width / series.length - 20 }, style.muted);
    at += widthOf(paper, one.name, style.muted) + 28;
  }
}

type Slice = { label: string; value: number; color: string };

/** Returns the parts from the largest to the smallest. Those beyond `maxParts` are combined as "Other". */
function slicesOf(labels: readonly string[], values: readonly number[]): Slice[] {
  const all = values
    .map((value, at) => ({ label: labels[at] ?? "", value }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value);
  const shown = all.length === maxParts + 1 ? all : all.slice(0, maxParts);
  const rest = all.slice(shown.length).reduce((sum, { value }) => sum + value, 0);
  return [
    ...shown.map((slice, at) => ({ ...slice, color: colors[at] ?? slate })),
    ...(rest > 0 ? [{ label: "Other", value: rest, color: slate }] : []),
  ];
}

const ringWidth = 13;

function drawDonut(
  paper: Paper,
  labels: readonly string[],
  values: readonly number[],
  { x, y, width, height }: Box,
): void {
  const slices = slicesOf(labels, values);
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  const radius = height / 2 - 2;
  const center = { x: x + radius + 2, y: y + height / 2 };
  drawRing(paper, slices, total, center, radius - ringWidth / 2);
  const inside = { x: center.x - radius + 18, width: 2 * radius - 36, align: "center" } as const;
  writeFigure(paper, durationText(total), { ...inside, y: center.y - 6 }, { ...style.figure, size: 15 });
  write(paper, "total", { ...inside, y: center.y + 9 }, style.muted);
  const left = x + 2 * radius + 24;
  const room = x + width - left;
  const line = Math.min(20, height / slices.length);
  slices.forEach((slice, at) => {
    const middle = y + height / 2 + (at - (slices.length - 1) / 2) * line;
    paper.pdf.circle(left + 3, middle, 3).fill(slice.color);
    write(paper, slice.label, { x: left + 12, y: middle, width: room - 12 - 90 }, style.text);
    const end = { x: left, y: middle, align: "right" } as const;
    write(paper, durationText(slice.value), { ...end, width: room - 40 }, style.number);
    const share = `${Math.round((slice.value / (total || 1)) * 100)} %`;
    write(paper, share, { ...end, width: room }, { ...style.muted, tabular: true });
  });
}

/** Draws the parts of a ring clockwise from the top. */
function drawRing(
  { pdf }: Paper,
  slices: readonly Slice[],
  total: number,
  { x, y }: { x: number; y: number },
  radius: number,
): void {
  const space = slices.length > 1 ? 1.5 / radius : 0;
  let angle = -Math.PI / 2;
  pdf.lineWidth(ringWidth);
  for (const { value, color: stroke } of slices) {
    const next = angle + (value / total) * 2 * Math.PI;
    if (next - angle > space) {
      if (slices.length === 1) pdf.circle(x, y, radius);
      else pdf.path(arc(x, y, radius, angle + space / 2, next - space / 2));
      pdf.strokeColor(stroke).stroke();
    }
    angle = next;
  }
}

/** Returns an SVG path of an arc between two angles in radians. */
function arc(cx: number, cy: number, radius: number, start: number, end: number): string {
  const point = (angle: number) => `${cx + radius * Math.cos(angle)} ${cy + radius * Math.sin(angle)}`;
  return `M ${point(start)} A ${radius} ${radius} 0 ${end - start > Math.PI ? 1 : 0} 1 ${point(end)}`;
}
