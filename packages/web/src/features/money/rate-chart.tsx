import { plainDay } from "../../base/format.ts";

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
  return (
    <figure className="rate-chart">
      <svg
        viewBox={`-4 -4 ${width + 8} ${height + 8}`}
        role="img"
        aria-label={`Rate from ${plainDay(first.day)} to ${plainDay(last.day)}, between ${low} and ${high}`}
        preserveAspectRatio="none"
      >
        <polyline
          points={points.map(({ day, value }) => `${x(day)},${y(value)}`).join(" ")}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <figcaption className="hint">
        {plainDay(first.day)} to {plainDay(last.day)}, lowest {low}, highest {high}
      </figcaption>
    </figure>
  );
}
