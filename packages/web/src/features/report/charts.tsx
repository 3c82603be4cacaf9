import type { Chart } from "@svc/client";
import "./report.css";
import { useEffect, useRef, useState } from "react";
import { duration, money, number, plainDay } from "../../base/format.ts";
import { Table } from "../../ui/table.tsx";

/** A report's charts, each with its data as a table. */
export function Charts({ charts }: { charts: readonly Chart[] }) {
  return (
    <section aria-labelledby="charts">
      <h2 id="charts">Charts</h2>
      <div className="charts">
        {charts.map((chart) => (
          <figure key={chart.id} className="chart">
            <figcaption>{chart.title}</figcaption>
            {chart.type === "pie" ? <Shares chart={chart} /> : <Plot chart={chart} />}
            {chart.type !== "pie" && (
              <details>
                <summary>Show data</summary>
                <DataTable chart={chart} />
              </details>
            )}
          </figure>
        ))}
      </div>
    </section>
  );
}

/** A line or bar chart. Loads the drawing library on first use. */
function Plot({ chart }: { chart: Chart }) {
  const host = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number | null>(null);
  useEffect(() => {
    let removeChart: (() => void) | undefined;
    let unmounted = false;
    void import("./plot.ts").then(({ draw }) => {
      if (unmounted || !host.current) return;
      const tick = (value: number) => (chart.unit === "seconds" ? `${number(value)} h` : number(value));
      removeChart = draw(host.current, chart, {
        tick,
        labels: chart.labels.map(formatLabel),
        onPoint: setAt,
      });
    });
    return () => {
      unmounted = true;
      removeChart?.();
    };
  }, [chart]);
  const label = at === null ? undefined : chart.labels[at];
  return (
    <>
      <div
        ref={host}
        className="plot"
        role="img"
        aria-label={`${chart.title}. The data follows as a table.`}
      />
      <p className="chart-legend hint" aria-hidden="true">
        {chart.series.map(({ name, data }, index) => (
          <span key={name}>
            <span className="swatch" style={{ background: `var(--chart-${(index % 6) + 1})` }} />
            {name}
            {at !== null && `: ${formatValue(data[at] ?? 0, chart)}`}
          </span>
        ))}
        {label !== undefined && <strong>{formatLabel(label)}</strong>}
      </p>
    </>
  );
}

/** A table with bars instead of a pie chart, because bars are easier to compare than angles. */
function Shares({ chart }: { chart: Chart }) {
  const [data = []] = chart.series.map((one) => one.data.map(Number));
  const total = data.reduce((sum, value) => sum + value, 0);
  const most = Math.max(...data, 1);
  const rows = chart.labels.map((label, at) => ({ id: `${at} ${label}`, label, value: data[at] ?? 0 }));
  return (
    <Table
      caption={chart.title}
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        {
          heading: "Group",
          cell: ({ label, value }) => (
            <>
              {label}
              <span className="share" aria-hidden="true" style={{ width: `${(100 * value) / most}%` }} />
            </>
          ),
        },
        { heading: "Time", numeric: true, cell: ({ value }) => formatValue(value, chart) },
        {
          heading: "Share",
          numeric: true,
          cell: ({ value }) => `${total === 0 ? 0 : Math.round((100 * value) / total)}%`,
        },
      ]}
    />
  );
}

function DataTable({ chart }: { chart: Chart }) {
  const rows = chart.labels.map((label, at) => ({ label, at }));
  return (
    <Table
      caption={chart.title}
      rows={rows}
      rowKey={({ at }) => String(at)}
      columns={[
        { heading: "Period", cell: ({ label }) => formatLabel(label) },
        ...chart.series.map(({ name, data }) => ({
          heading: name,
          numeric: true as const,
          cell: ({ at }: { at: number }) => formatValue(data[at] ?? 0, chart),
        })),
      ]}
    />
  );
}

function formatValue(value: number | string, { unit }: Chart): string {
  return unit === "seconds" ? duration(Number(value)) : money({ amount: String(value), currency: unit });
}

/** Formats a label that is a date in the user's date format. Returns other labels, such as months, unchanged. */
function formatLabel(label: string): string {
  return label.replace(/\d{4}-\d\d-\d\d/, plainDay);
}
