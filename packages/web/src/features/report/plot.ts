import type { Chart } from "@svc/client";
import "uplot/dist/uPlot.min.css";
import uPlot from "uplot";
import { onColorsChanged } from "../../base/theme.ts";

/** Colors of the series, as CSS custom properties. */
const seriesColors = ["--chart-1", "--chart-2", "--chart-3", "--chart-4", "--chart-5", "--chart-6"];

/** How to label a chart, and where to report the pointer. */
export type Drawing = {
  /** Formats a value for the value axis. */
  tick: (value: number) => string;
  /** Labels of the time axis. */
  labels: readonly string[];
  /** Receives the index of the label under the pointer, or null. */
  onPoint: (at: number | null) => void;
};

/**
 * Draws a chart at the width of an element, and stacks the bars of several series. Redraws when the width or the color
 * scheme changes. Returns a function that removes the chart.
 */
export function draw(host: HTMLElement, chart: Chart, { tick, labels, onPoint }: Drawing): () => void {
  const columns = chart.series.map(({ data }) => data.map((value) => scaled(value, chart)));
  const stacked = chart.type === "bar" ? stack(columns) : columns;
  let plot: uPlot | undefined;

  function render(): void {
    plot?.destroy();
    const color = (name: string) => resolved(host, name);
    const axis = {
      stroke: color("--color-muted"),
      grid: { stroke: color("--color-border"), width: 1 },
      font: `12px ${getComputedStyle(host).fontFamily}`,
    };
    plot = new uPlot(
      {
        width: host.clientWidth,
        height: 240,
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false }, points: { show: chart.type !== "bar" } },
        scales: { x: { time: false, range: (_, low, high) => [low - 0.6, high + 0.6] } },
        axes: [
          {
            ...axis,
            grid: { show: false },
            space: 96,
            incrs: [1, 2, 5, 7, 10, 14, 20, 30, 50, 100],
            values: (_, splits) => splits.map((at) => labels[at] ?? ""),
          },
          { ...axis, size: 72, values: (_, splits) => splits.map(tick) },
        ],
        series: [
          {},
          // uPlot draws in this order, so the tallest bars of a stack come first.
          ...stacked
            .map((_, at) => {
              const stroke = color(seriesColors[at % seriesColors.length] ?? "--chart-1");
              return chart.type === "bar"
                ? {
                    stroke,
                    fill: stroke,
                    points: { show: false },
                    paths: uPlot.paths.bars?.({ size: [0.7, 48] }),
                  }
                : { stroke, width: 2 };
            })
            .reverse(),
        ] as uPlot.Series[],
        hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
      },
      [labels.map((_, at) => at), ...stacked.toReversed()],
      host,
    );
  }

  render();
  const widths = new ResizeObserver(() => plot?.setSize({ width: host.clientWidth, height: 240 }));
  widths.observe(host);
  const unsubscribe = onColorsChanged(render);
  return () => {
    widths.disconnect();
    unsubscribe();
    plot?.destroy();
  };
}

/** Returns the value to plot, in hours for times. A float is precise enough for drawing. */
function scaled(value: number | string, { unit }: Chart): number {
  return unit === "seconds" ? Number(value) / 3600 : Number(value);
}

/** Adds to each series the series below it. */
function stack(columns: readonly number[][]): number[][] {
  const sums: number[][] = [];
  for (const column of columns) {
    const below = sums.at(-1);
    sums.push(column.map((value, at) => value + (below?.[at] ?? 0)));
  }
  return sums;
}

/** Resolves the color of a custom property, because a canvas supports neither var() nor light-dark(). */
function resolved(host: HTMLElement, name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  host.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
