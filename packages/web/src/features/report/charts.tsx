import "./report.css";
import type { Chart } from "@svc/core/report/chart";
import { useEffect, useRef, useState } from "react";
import { duration, money, number, plainDay } from "../../base/format.ts";
import { Table } from "../../ui/table.tsx";

/** The charts of a report, each with the same numbers as a table. */
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
                <summary>The numbers</summary>
                <Numbers chart={chart} />
              </details>
            )}
          </figure>
        ))}
      </div>
    </section>
  );
}

/** Drawn by a library that is loaded only here. */
function Plot({ chart }: { chart: Chart }) {
  const host = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number | null>(null);
  useEffect(() => {
    let undraw: (() => void) | undefined;
    let gone = false;
    void import("./plot.ts").then(({ draw }) => {
      if (gone || !host.current) return;
      const tick = (value: number) => (chart.unit === "seconds" ? `${number(value)} h` : number(value));
      undraw = draw(host.current, chart, { tick, labels: chart.labels.map(written), onPoint: setAt });
    });
    return () => {
      gone = true;
      undraw?.();
    };
  }, [chart]);
  const label = at === null ? undefined : chart.labels[at];
  return (
    <>
      <div
        ref={host}
        className="plot"
        role="img"
        aria-label={`${chart.title}; the numbers follow as a table`}
      />
      <p className="chart-legend hint" aria-hidden="true">
        {chart.series.map(({ name, data }, index) => (
          <span key={name}>
            <span className="swatch" style={{ background: `var(--chart-${(index % 6) + 1})` }} />
            {name}
            {at !== null && `: ${figure(data[at] ?? 0, chart)}`}
          </span>
        ))}
        {label !== undefined && <strong>{written(label)}</strong>}
      </p>
    </>
  );
}

/** Shares of a whole: a table whose rows have bars, which compare better than angles. */
function Shares({ chart }: { chart: Chart }) {
  const [data = []] = chart.series.map((one) => one.data.map(Number));
  const whole = data.reduce((sum, value) => sum + value, 0);
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
        { heading: "Time", numeric: true, cell: ({ value }) => figure(value, chart) },
        {
          heading: "Share",
          numeric: true,
          cell: ({ value }) => `${whole === 0 ? 0 : Math.round((100 * value) / whole)} %`,
        },
      ]}
    />
  );
}

function Numbers({ chart }: { chart: Chart }) {
  const rows = chart.labels.map((label, at) => ({ label, at }));
  return (
    <Table
      caption={chart.title}
      rows={rows}
      rowKey={({ at }) => String(at)}
      columns={[
        { heading: "Period", cell: ({ label }) => written(label) },
        ...chart.series.map(({ name, data }) => ({
          heading: name,
          numeric: true as const,
          cell: ({ at }: { at: number }) => figure(data[at] ?? 0, chart),
        })),
      ]}
    />
  );
}

function figure(value: number | string, { unit }: Chart): string {
  return unit === "seconds" ? duration(Number(value)) : money({ amount: String(value), currency: unit });
}

/** Days in the person's format; the names of other stretches as they came. */
function written(label: string): string {
  return label.replace(/\d{4}-\d\d-\d\d/, plainDay);
}
