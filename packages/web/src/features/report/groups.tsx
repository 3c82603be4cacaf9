import type { Money } from "@svc/client";
import "./report.css";
import { type Dimension, titles } from "@svc/core/report/dimension";
import { ChevronDown, ChevronRight } from "lucide-react";
import { Fragment, type ReactNode, useState } from "react";
import { Link } from "wouter";
import { hours, money, number, percent } from "../../base/format.ts";
import { Card } from "../../ui/card.tsx";
import { type EntryFilters, entriesOf, type Step } from "./drill-down.ts";
import { messages } from "./messages.ts";

const text = messages.table;

/** The totals of a group. A custom report contains only the requested metrics. */
export type Sums = {
  durationSeconds?: number | undefined;
  billableSeconds?: number | undefined;
  billablePercent?: string | undefined;
  entryCount?: number | undefined;
  amounts?: readonly Money[] | undefined;
  converted?: Money | null | undefined;
  convertedKnown?: Money | undefined;
};

export type Group = Sums & { key: string | null; label: string; groups?: readonly Group[] | undefined };

type Props = {
  levels: readonly Dimension[];
  groups: readonly Group[];
  totals: Sums;
  /** The filters of the report, for the links to entries. */
  filters: EntryFilters;
  /** The time of the groups of the first level in the period that this one is compared with, by key, and in all. */
  previous?: { byKey: ReadonlyMap<string | null, number>; total: number } | undefined;
  /** Returns the color of a group of the first level. */
  colorOf?: ((key: string | null) => string) | undefined;
};

type Column = {
  heading: string;
  /** Narrow screens show this column in the first or second line of a row, or not at all. */
  narrow: "first" | "second" | "hidden";
  cell: (sums: Sums) => ReactNode;
};

/** Names the role of a part of the table, which it would lose on phones: its rows are not laid out as a table there. */
const role = (name: string) => ({ role: name });

/** A report as a table. Groups open and close, and lead to their entries. */
export function Groups({ previous, ...props }: Props) {
  const { levels, groups, totals } = props;
  const columns = columnsOf(totals);
  // A short report is open at first, a long one is closed.
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const opens = rowCount(groups) <= shortReport;
  const isOpen = (id: string) => opens !== toggled.has(id);
  const toggle = (id: string) =>
    setToggled((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  const shared = { ...props, previous, columns, isOpen, toggle };
  const heading = levels.map((level) => titles[level]).join(" / ") || text.all;
  return (
    <Card
      title={text.title}
      count={totals.entryCount !== undefined && messages.entryCount(totals.entryCount)}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard (WCAG 2.1.1). */}
      <section className="table-scroll" aria-label={text.caption} tabIndex={0}>
        <table className="report-table" {...role("table")}>
          <caption className="visually-hidden">{text.caption}</caption>
          <thead {...role("rowgroup")}>
            <tr {...role("row")}>
              <th {...role("columnheader")} scope="col">
                {heading}
              </th>
              {totals.durationSeconds !== undefined && (
                <th {...role("columnheader")} scope="col" data-narrow="hidden">
                  {text.share}
                </th>
              )}
              {columns.map((column, at) => (
                <Fragment key={column.heading}>
                  <th {...role("columnheader")} scope="col" data-numeric data-narrow={column.narrow}>
                    {column.heading}
                  </th>
                  {previous && at === 0 && (
                    <th {...role("columnheader")} scope="col" data-numeric data-narrow="hidden">
                      {text.previous}
                    </th>
                  )}
                </Fragment>
              ))}
            </tr>
          </thead>
          <tbody {...role("rowgroup")}>
            <Rows {...shared} groups={groups} steps={[]} of={totals.durationSeconds ?? 0} />
          </tbody>
          <tfoot {...role("rowgroup")}>
            <tr {...role("row")}>
              <th {...role("rowheader")} scope="row">
                {text.total}
              </th>
              {totals.durationSeconds !== undefined && <td {...role("cell")} data-narrow="hidden" />}
              <Cells columns={columns} sums={totals} previous={previous?.total} />
            </tr>
          </tfoot>
        </table>
      </section>
    </Card>
  );
}

/** The most rows of a report whose groups are open at first. */
const shortReport = 40;

function rowCount(groups: readonly Group[]): number {
  return groups.reduce((sum, { groups = [] }) => sum + 1 + rowCount(groups), 0);
}

type RowsProps = Props & {
  columns: readonly Column[];
  isOpen: (id: string) => boolean;
  toggle: (id: string) => void;
  /** The groups above these. */
  steps: readonly Step[];
  /** The time of the group above, of which these are a share. */
  of: number;
  color?: string | undefined;
};

function Rows({ groups, steps, of, ...shared }: RowsProps) {
  const { levels, filters, previous, colorOf, columns, isOpen, toggle } = shared;
  const dimension = levels[steps.length];
  return groups.map((group) => {
    const path = dimension ? [...steps, { dimension, key: group.key }] : steps;
    const id = path.map(({ key }) => key).join("/");
    const href = dimension && entriesOf(filters, path);
    const color = steps.length === 0 ? colorOf?.(group.key) : shared.color;
    const has = (group.groups?.length ?? 0) > 0;
    const open = has && isOpen(id);
    const name = group.label || text.all;
    return (
      <Fragment key={id}>
        <tr {...role("row")} data-depth={steps.length} data-open={open || undefined}>
          <th {...role("rowheader")} scope="row">
            <span className="report-name">
              {has && (
                <button
                  type="button"
                  className="report-twist"
                  aria-expanded={open}
                  aria-label={(open ? text.collapse : text.expand)(name)}
                  onClick={() => toggle(id)}
                >
                  {open ? <ChevronDown /> : <ChevronRight />}
                </button>
              )}
              {color && steps.length === 0 && <span className="swatch" style={{ background: color }} />}
              {href ? <Link href={href}>{name}</Link> : <span>{name}</span>}
            </span>
          </th>
          {group.durationSeconds !== undefined && (
            <td {...role("cell")} data-narrow="hidden">
              <Share share={of === 0 ? 0 : group.durationSeconds / of} color={color} />
            </td>
          )}
          <Cells
            columns={columns}
            sums={group}
            previous={previous && (steps.length === 0 ? (previous.byKey.get(group.key) ?? 0) : null)}
          />
        </tr>
        {open && (
          <Rows
            {...shared}
            groups={group.groups ?? []}
            steps={path}
            of={group.durationSeconds ?? 0}
            color={color}
          />
        )}
      </Fragment>
    );
  });
}

/** The share of a group in the one above, as a bar and in percent. */
function Share({ share, color = "var(--project-blue)" }: { share: number; color?: string | undefined }) {
  return (
    <span className="report-share">
      <span className="report-track" aria-hidden="true">
        <span style={{ width: `${Math.min(share, 1) * 100}%`, background: color }} />
      </span>
      {percent(share)}
    </span>
  );
}

function Cells({
  columns,
  sums,
  previous,
}: {
  columns: readonly Column[];
  sums: Sums;
  /** Seconds. Null for groups that are not compared, undefined for a table without comparison. */
  previous?: number | null | undefined;
}) {
  return columns.map(({ heading, narrow, cell }, at) => (
    <Fragment key={heading}>
      <td {...role("cell")} data-numeric data-narrow={narrow}>
        {cell(sums)}
      </td>
      {previous !== undefined && at === 0 && (
        <td {...role("cell")} data-numeric data-narrow="hidden" className="report-previous">
          {previous !== null && hours(previous)}
        </td>
      )}
    </Fragment>
  ));
}

/** Returns the columns for the metrics that a report has. */
function columnsOf(totals: Sums): Column[] {
  const has = (name: keyof Sums) => totals[name] !== undefined;
  const all: (Column | false)[] = [
    has("durationSeconds") && {
      heading: text.hours,
      narrow: "first",
      cell: ({ durationSeconds = 0 }) => hours(durationSeconds),
    },
    has("billableSeconds") && {
      heading: text.billable,
      narrow: "second",
      cell: ({ billableSeconds = 0, durationSeconds }) =>
        durationSeconds === undefined
          ? hours(billableSeconds)
          : percent(durationSeconds === 0 ? 0 : billableSeconds / durationSeconds),
    },
    has("billablePercent") && {
      heading: text.billableShare,
      narrow: "second",
      cell: ({ billablePercent = "0" }) => percent(Number(billablePercent) / 100, 2),
    },
    has("entryCount") && {
      heading: text.entries,
      narrow: "hidden",
      cell: ({ entryCount = 0 }) => number(entryCount),
    },
    has("amounts") && {
      heading: text.amounts,
      narrow: "second",
      // Amounts in different currencies are never added.
      cell: ({ amounts = [] }) => amounts.map((one) => <div key={one.currency}>{money(one)}</div>),
    },
    has("converted") && {
      heading: text.converted,
      narrow: "second",
      cell: ({ converted, convertedKnown }) =>
        converted ? money(converted) : convertedKnown && text.incomplete(money(convertedKnown)),
    },
  ];
  return all.filter((column): column is Column => column !== false);
}
