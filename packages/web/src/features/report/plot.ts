import "uplot/dist/uPlot.min.css";
import type { Chart } from "@svc/core/report/chart";
import uPlot from "uplot";

/** Colours of the series, by the custom properties of the styles. */
const seriesColours = ["--chart-1", "--chart-2", "--chart-3", "--chart-4", "--chart-5", "--chart-6"];

export type Drawing = {
  /** What a value is called at the axis. */
  tick: (value: number) => string;
  /** What stands at the axis of time. */
  labels: readonly string[];
  /** Which of the labels the pointer is at; null when it is elsewhere. */
  onPoint: (at: number | null) => void;
};

/**
 * Draw a chart into an element, as wide as that is; bars of several series stand on each other. Drawn anew when the width or
 * the colour scheme changes. Gives back what takes it away.
 */
export function draw(host: HTMLElement, chart: Chart, { tick, labels, onPoint }: Drawing): () => void {
  const columns = chart.series.map(({ data }) => data.map((value) => scaled(value, chart)));
  const stacked = chart.type === "bar" ? stack(columns) : columns;
  let plot: uPlot | undefined;

  function make(): void {
    plot?.destroy();
    const colour = (name: string) => resolved(host, name);
    const axis = {
      stroke: colour("--soft"),
      grid: { stroke: colour("--line"), width: 1 },
      font: "13px system-ui",
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
          // The highest of a stack is drawn first.
          ...stacked
            .map((_, at) => {
              const stroke = colour(seriesColours[at % seriesColours.length] ?? "--chart-1");
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

  make();
  const widths = new ResizeObserver(() => plot?.setSize({ width: host.clientWidth, height: 240 }));
  widths.observe(host);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", make);
  return () => {
    widths.disconnect();
    scheme.removeEventListener("change", make);
    plot?.destroy();
  };
}

/** Hours for time; for the eye alone, so a float will do. */
function scaled(value: number | string, { unit }: Chart): number {
  return unit === "seconds" ? Number(value) / 3600 : Number(value);
}

function stack(columns: readonly number[][]): number[][] {
  const sums: number[][] = [];
  for (const column of columns) {
    const below = sums.at(-1);
    sums.push(column.map((value, at) => value + (below?.[at] ?? 0)));
  }
  return sums;
}

/** What a custom property looks like now: the canvas knows neither var() nor light-dark(). */
function resolved(host: HTMLElement, name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  host.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
