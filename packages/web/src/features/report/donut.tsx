import { hours, percent } from "../../base/format.ts";
import { Card } from "../../ui/card.tsx";
import type { Series } from "../../ui/stacked-bars.tsx";
import { messages } from "./messages.ts";

const radius = 63;
const around = 2 * Math.PI * radius;
/** The space between two parts, in the units of the drawing. */
const gap = 2.5;

/** The shares of groups as a ring, with their names and percentages beside it. */
export function Donut({
  title,
  hint,
  series,
  values,
  total,
}: {
  title: string;
  hint?: string | undefined;
  series: readonly Series[];
  /** Seconds, in the order of the series. */
  values: readonly number[];
  total: number;
}) {
  const sum = values.reduce((all, value) => all + value, 0);
  let start = 0;
  const arcs = series.map(({ id, color }, at) => {
    const length = sum === 0 ? 0 : ((values[at] ?? 0) / sum) * around;
    const offset = -start;
    start += length;
    return { id, color, length: Math.max(length - (series.length > 1 ? gap : 0), 0), offset };
  });
  return (
    <Card title={title}>
      <div className="donut">
        <div className="donut-ring">
          {/* The list has the same shares. */}
          <svg viewBox="0 0 148 148" aria-hidden="true">
            {arcs.map(({ id, color, length, offset }) => (
              <circle
                key={id}
                cx="74"
                cy="74"
                r={radius}
                stroke={color}
                strokeDasharray={`${length} ${around}`}
                strokeDashoffset={offset}
              />
            ))}
          </svg>
          <p>
            <strong>{hours(total)}</strong>
            {messages.hours.toLowerCase()}
          </p>
        </div>
        <ul className="donut-key" aria-label={title}>
          {series.map(({ id, name, color }, at) => (
            <li key={id}>
              <span className="swatch" aria-hidden="true" style={{ background: color }} />
              <span className="swatch-name">{name}</span>
              <strong>{percent(total === 0 ? 0 : (values[at] ?? 0) / total)}</strong>
            </li>
          ))}
        </ul>
        {hint && <p className="hint">{hint}</p>}
      </div>
    </Card>
  );
}
