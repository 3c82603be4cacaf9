import "./stacked-bars.css";
import { Table2 } from "lucide-react";
import { type CSSProperties, type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { Link } from "wouter";
import { hours, hourUnit, number, roundMoney } from "../base/format.ts";
import { axisOf } from "./axis.ts";
import { Card } from "./card.tsx";
import { IconButton } from "./icon-button.tsx";
import { Table } from "./table.tsx";

/** A part of each bar, such as a project. */
export type Series = { id: string; name: string; color: string };

export type Bar = {
  id: string;
  /** The label below the bar. Narrow screens leave out `detail`. */
  label: string;
  detail?: string;
  /** The label where there is room for the whole date. */
  title: string;
  /** The bar of today. */
  now?: boolean;
  /** One value for each series, in their order: seconds, or amounts of the currency. */
  values: readonly number[];
  total: number;
  /** The page that lists what the bar counts. */
  href: string;
};

export type BarsProps = {
  /** Undefined for hours, whose values are seconds. */
  currency?: string | undefined;
  /** The parts of each bar, from bottom to top. */
  series: readonly Series[];
  bars: readonly Bar[];
};

/** Texts of the chart that the page chooses. */
export type BarsText = {
  title: string;
  showTable: string;
  showBars: string;
  /** Heading of the first column of the table. */
  period: string;
  total: string;
  empty: string;
};

/** With more bars than these, totals are shown on hover and focus only. */
const fewBars = 10;

/** Returns the function that formats the values of a chart. */
const formatOf = (currency: string | undefined) => (value: number) =>
  currency === undefined ? hours(value) : roundMoney({ amount: String(value), currency });

/** A card with stacked bars, their legend, and the same figures as a table on request. */
export function StackedBars({ text, tools, ...chart }: BarsProps & { text: BarsText; tools?: ReactNode }) {
  const [asTable, setAsTable] = useState(false);
  return (
    <Card
      title={text.title}
      tools={
        <>
          {tools}
          <IconButton label={asTable ? text.showBars : text.showTable} onClick={() => setAsTable(!asTable)}>
            <Table2 />
          </IconButton>
        </>
      }
    >
      {asTable ? (
        <BarsTable {...chart} text={text} />
      ) : (
        <>
          <Bars {...chart} text={text} />
          <Legend {...chart} />
        </>
      )}
    </Card>
  );
}

function Bars({ currency, series, bars, text }: BarsProps & { text: BarsText }) {
  const format = formatOf(currency);
  const [shown, setShown] = useState<number>();
  const area = useRef<HTMLOListElement>(null);
  // One stop for Tab, from which the arrow keys move.
  const [stop, setStop] = useState(() =>
    Math.max(
      0,
      bars.findIndex(({ now }) => now),
    ),
  );
  const current = Math.min(stop, bars.length - 1);
  const move = (event: KeyboardEvent) => {
    if (event.key === "Escape") return setShown(undefined);
    const to = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: bars.length - 1 }[event.key];
    if (to === undefined || to < 0 || to >= bars.length) return;
    event.preventDefault();
    setStop(to);
    area.current?.querySelectorAll("a")[to]?.focus();
  };
  const perHour = currency === undefined ? 3600 : 1;
  const heights = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0) / perHour);
  const { ticks, top } = axisOf(Math.max(...heights));
  const dense = bars.length > fewBars;
  const every = Math.ceil(bars.length / 6);
  return (
    <figure className="bars" data-dense={dense || undefined} aria-label={text.title}>
      <div className="bars-axis" aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick} style={{ "--at": tick / top } as CSSProperties}>
            {currency === undefined ? hourUnit(tick) : number(tick)}
          </span>
        ))}
      </div>
      <div className="bars-plot">
        {ticks.map((tick) => (
          <span key={tick} className="bars-line" style={{ "--at": tick / top } as CSSProperties} />
        ))}
        <ol ref={area} className="bars-area" onMouseLeave={() => setShown(undefined)}>
          {bars.map((bar, at) => (
            <li key={bar.id} data-shown={at === shown || undefined} onMouseEnter={() => setShown(at)}>
              <Link
                href={bar.href}
                tabIndex={at === current ? 0 : -1}
                aria-label={nameOf(bar, series, format, text)}
                onFocus={() => {
                  setStop(at);
                  setShown(at);
                }}
                onBlur={() => setShown(undefined)}
                onKeyDown={move}
              >
                {!dense && bar.total > 0 && <span className="bars-total">{format(bar.total)}</span>}
                {series
                  .map(({ id, color }, part) => ({ id, color, value: bar.values[part] ?? 0 }))
                  .filter(({ value }) => value > 0)
                  .reverse()
                  .map(({ id, color, value }) => (
                    <i
                      key={id}
                      style={{ "--size": value / perHour / top, background: color } as CSSProperties}
                    />
                  ))}
              </Link>
            </li>
          ))}
        </ol>
        {shown !== undefined && bars[shown] && (
          <Details
            bar={bars[shown]}
            series={series}
            format={format}
            text={text}
            at={(shown + 0.5) / bars.length}
          />
        )}
      </div>
      <div className="bars-labels" aria-hidden="true">
        {bars.map(({ id, label, detail, now }, at) => (
          <span
            key={id}
            data-now={now || undefined}
            data-minor={(dense && Math.round(at / every) % 2 === 1) || undefined}
          >
            {(!dense || at % every === 0) && label}
            {!dense && detail && <span className="bars-detail"> {detail}</span>}
          </span>
        ))}
      </div>
    </figure>
  );
}

/** The accessible name of a bar: everything that its tooltip shows. */
function nameOf(
  { title, total, values }: Bar,
  series: readonly Series[],
  format: (value: number) => string,
  { empty }: BarsText,
): string {
  const parts = series.flatMap(({ name }, at) => (values[at] ? [`${name} ${format(values[at])}`] : []));
  return [`${title}: ${total === 0 ? empty : format(total)}`, ...(parts.length > 1 ? parts : [])].join(", ");
}

/** The tooltip of a bar. Screen readers have the same in the name of the bar. */
function Details({
  bar,
  series,
  format,
  text,
  at,
}: {
  bar: Bar;
  series: readonly Series[];
  format: (value: number) => string;
  text: BarsText;
  /** The middle of the bar, from 0 to 1 of the width. */
  at: number;
}) {
  return (
    <div
      className="bars-tip"
      aria-hidden="true"
      data-side={at > 0.5 ? "before" : "after"}
      style={{ "--at": at } as CSSProperties}
    >
      <p>
        <strong>{bar.title}</strong>
        <strong>{bar.total === 0 ? text.empty : format(bar.total)}</strong>
      </p>
      <ul>
        {series.map(
          ({ id, name, color }, part) =>
            (bar.values[part] ?? 0) > 0 && (
              <li key={id}>
                <span className="swatch" style={{ background: color }} />
                <span className="swatch-name">{name}</span>
                <span>{format(bar.values[part] ?? 0)}</span>
              </li>
            ),
        )}
      </ul>
    </div>
  );
}

function Legend({ currency, series, bars }: BarsProps) {
  const format = formatOf(currency);
  if (series.length === 0) return null;
  return (
    <ul className="legend">
      {series.map(({ id, name, color }, part) => (
        <li key={id}>
          <span className="swatch" aria-hidden="true" style={{ background: color }} />
          <span className="swatch-name">{name}</span>{" "}
          <span className="legend-sum">
            {format(bars.reduce((sum, { values }) => sum + (values[part] ?? 0), 0))}
          </span>
        </li>
      ))}
    </ul>
  );
}

function BarsTable({ currency, series, bars, text }: BarsProps & { text: BarsText }) {
  const format = formatOf(currency);
  return (
    <Table
      caption={text.title}
      rows={bars}
      rowKey={({ id }) => id}
      columns={[
        { heading: text.period, cell: ({ title, href }) => <Link href={href}>{title}</Link> },
        ...series.map(({ name }, part) => ({
          heading: name,
          numeric: true as const,
          cell: ({ values }: Bar) => format(values[part] ?? 0),
        })),
        { heading: text.total, numeric: true, cell: ({ total }) => <strong>{format(total)}</strong> },
      ]}
    />
  );
}
