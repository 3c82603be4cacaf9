import { minorUnits } from "../money/currency.ts";
import * as Rational from "../money/rational.ts";
import type { Reader } from "../platform/db/engine.ts";
import { defaultMetrics, formatPercent, type Metric } from "./custom.ts";
import {
  columns as columnDefinitions,
  columnNames,
  type Entry,
  type Column as Name,
  readEntries,
} from "./detail.ts";
import { type Dimension, titles } from "./dimension.ts";
import { labelsOf } from "./dimension-sql.ts";
import type { Cell, Column, Document } from "./document.ts";
import type { Rates } from "./entries.ts";
import type { Group, Part, Sum, Tree } from "./groups.ts";
import type { ReportScope } from "./report-scope.ts";

/** The default columns of entries in JSON. */
export const allColumns = columnNames.filter((name) => name !== "converted");

/** The default columns of entries in files for people: without ids. */
const readableColumns = allColumns.filter((name) => !["id", "user_id", "project_id"].includes(name));

type Rows = Pick<Document, "columns" | "rows">;

const metricColumns: Readonly<Record<Metric, Column>> = {
  duration_seconds: { name: "duration_seconds", title: "Time", kind: "seconds", width: 2 },
  billable_seconds: { name: "billable_seconds", title: "Billable", kind: "seconds", width: 2 },
  entry_count: { name: "entry_count", title: "Entries", kind: "count", width: 1 },
  amounts: { name: "amount", title: "Amount", kind: "money", width: 2 },
  billable_percent: { name: "billable_percent", title: "Billable %", kind: "money", width: 1 },
};

const metricCells: Readonly<Record<Metric, (part: Part, currency: string) => Cell>> = {
  duration_seconds: ({ seconds }) => seconds,
  billable_seconds: ({ billableSeconds }) => billableSeconds,
  entry_count: ({ entryCount }) => entryCount,
  amounts: ({ amount }, currency) => Rational.formatUnits(amount, minorUnits(currency)),
  billable_percent: ({ billableSeconds, seconds }) => formatPercent(billableSeconds, seconds),
};

const currencyColumn: Column = { name: "currency", title: "Currency", kind: "text", width: 1 };

/** Returns one row per innermost group and currency, so that all figures of a row have one currency. */
export function groupRows(
  { convertTo }: ReportScope,
  {
    levels,
    metrics = defaultMetrics,
  }: { levels: readonly Dimension[]; metrics?: readonly Metric[] | undefined },
  { groups, total }: Tree,
): Rows {
  const showsCurrency = !levels.includes("currency");
  const converted = metrics.includes("amounts") ? convertTo : undefined;
  const cells = (labels: readonly string[], currency: string, part: Part): Cell[] => [
    ...labels,
    ...(showsCurrency ? [currency] : []),
    ...metrics.map((metric) => metricCells[metric](part, currency)),
    ...(converted === undefined ? [] : [convertedCell(part, converted)]),
  ];
  async function* rows() {
    const innermost = levels.length === 0 ? [{ labels: [], sum: total }] : innermostGroups(groups, []);
    yield innermost.flatMap(({ labels, sum }) =>
      [...sum].sort(([a], [b]) => (a < b ? -1 : 1)).map(([currency, part]) => cells(labels, currency, part)),
    );
  }
  return {
    columns: [
      ...levels.map((level): Column => ({ name: level, title: titles[level], kind: "text", width: 4 })),
      ...(showsCurrency ? [currencyColumn] : []),
      ...metrics.map((metric) => metricColumns[metric]),
      ...(converted === undefined ? [] : [convertedColumn(converted, 2)]),
    ],
    rows: rows(),
  };
}

function convertedColumn(currency: string, width: number): Column {
  return { name: `converted_${currency.toLowerCase()}`, title: `In ${currency}`, kind: "money", width };
}

function convertedCell({ converted }: Part, currency: string): Cell {
  return converted === null ? null : Rational.formatUnits(converted, minorUnits(currency));
}

function innermostGroups(
  groups: readonly Group[],
  parents: readonly string[],
): { labels: readonly string[]; sum: Sum }[] {
  return groups.flatMap(({ label, sum, groups: children }) => {
    const labels = [...parents, label];
    return children.length === 0 ? [{ labels, sum }] : innermostGroups(children, labels);
  });
}

/** Widths of the default columns of entries in a PDF. Other columns are not printed by default. */
const widths: Partial<Record<Name, number>> = {
  day: 2,
  started_at: 4,
  user: 3,
  project: 3,
  description: 6,
  tags: 3,
  billable: 1.2,
  duration_seconds: 1.6,
  amount: 2,
  currency: 1.4,
  converted: 2,
};

type EntryOptions = {
  levels: readonly Dimension[];
  columns?: readonly Name[] | undefined;
  direction: "asc" | "desc";
};

/** Returns one row per entry, preceded by the labels of its groups. */
export function entryRows(
  reader: Reader,
  scope: ReportScope,
  { levels, columns: chosen, direction }: EntryOptions,
  rates: Rates | undefined,
): Rows {
  const names = columnsOf(scope, chosen, readableColumns);
  async function* rows() {
    for await (const batch of readEntries(reader, scope, levels, rates, direction)) {
      const labels = await labelsOfBatch(reader, scope, levels, batch);
      yield batch.map((entry) => [
        ...labels.map((label, at) => label(entry.keys[at] ?? null)),
        ...names.map((name) => cellOf(entry, name)),
      ]);
    }
  }
  return {
    columns: [
      ...levels.map(
        (level): Column => ({ name: `group_${level}`, title: titles[level], kind: "text", width: 3 }),
      ),
      ...names.map((name) => entryColumn(name, widths[name] ?? (chosen ? 3 : 0), scope.convertTo)),
    ],
    rows: rows(),
  };
}

function entryColumn(name: Name, width: number, convertTo: string | undefined): Column {
  if (name === "duration_seconds") return { name, title: "Time", kind: "seconds", width };
  if (name === "converted" && convertTo !== undefined) return convertedColumn(convertTo, width);
  const { title, kind } = columnDefinitions[name];
  return { name, title, kind, width };
}

function labelsOfBatch(
  reader: Reader,
  { period, workspaceId }: ReportScope,
  levels: readonly Dimension[],
  batch: readonly Entry[],
) {
  return Promise.all(
    levels.map((level, at) => {
      const keys = new Set(batch.map(({ keys }) => keys[at] ?? null));
      return labelsOf(reader, level, period, workspaceId, [...keys]);
    }),
  );
}

function cellOf(entry: Entry, name: Name): Cell {
  const value = columnDefinitions[name].value(entry);
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value as Cell;
}

/** Returns the chosen columns or the given default ones, with `converted` added in a converted report. */
export function columnsOf(
  { convertTo }: ReportScope,
  chosen: readonly Name[] | undefined,
  defaults: readonly Name[],
): Name[] {
  if (chosen) return [...chosen];
  return convertTo === undefined ? [...defaults] : [...defaults, "converted"];
}
