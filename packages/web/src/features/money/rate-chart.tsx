import { number, plainDay } from "../../base/format.ts";
import { messages } from "./messages.ts";

type Point = { day: string; value: number };

const width = 600;
const height = 120;

/** A line chart of an exchange rate over time. The page also shows the values in a table. */
export function RateChart({ points }: { points: readonly Point[] }) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return null;
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [start, end] = [Date.parse(first.day), Date.parse(last.day)];
  const x = (day: string) => ((Date.parse(day) - start) / (end - start)) * width;
  const y = (value: number) => (high === low ? height / 2 : ((high - value) / (high - low)) * height);
  const extent = [plainDay(first.day), plainDay(last.day), number(low), number(high)] as const;
  return (
    <figure className="rate-chart">
      <svg
        viewBox={`-4 -4 ${width + 8} ${height + 8}`}
        role="img"
        aria-label={messages.rates.chart(...extent)}
        preserveAspectRatio="none"
      >
        <polyline
          points={points.map(({ day, value }) => `${x(day)},${y(value)}`).join(" ")}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <figcaption className="hint">{messages.rates.chartCaption(...extent)}</figcaption>
    </figure>
  );
}
