import * as Money from "../money/money.ts";
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
import { type Key, labelsOf } from "./dimension-sql.ts";
import type { Cell, Column, Document, Kind, TotalRow } from "./document.ts";
import type { Rates } from "./entries.ts";
import { type Group, type Part, plus, type Sum, type Tree } from "./groups.ts";
import type { Format } from "./object-key.ts";
import type { ReportScope } from "./report-scope.ts";

/** The formats that have a table. */
export type TableFormat = Exclude<Format, "json">;

/** The default columns of entries in JSON, where other fields say the time zone and the duration. */
export const jsonColumns = columnNames.filter((name) => !["timezone", "duration", "hours"].includes(name));

/**
 * The default columns of entries. CSV begins with those that it has always had, because scripts can depend on their positions;
 * new ones are added at the end.
 */
const defaultColumns: Readonly<Record<TableFormat, readonly Name[]>> = {
  csv: [
    "day",
    "started_at",
    "ended_at",
    "user",
    "project",
    "client",
    "description",
    "tags",
    "billable",
    "duration_seconds",
    "hourly_rate",
    "amount",
    "currency",
    "converted",
    "started_local",
    "ended_local",
    "timezone",
    "duration",
    "hours",
    "id",
    "user_id",
    "project_id",
  ],
  xlsx: [
    "day",
    "started_local",
    "ended_local",
    "user",
    "project",
    "client",
    "description",
    "tags",
    "billable",
    "duration",
    "hours",
    "hourly_rate",
    "amount",
    "currency",
    "converted",
    "timezone",
    "started_at",
    "ended_at",
    "id",
    "user_id",
    "project_id",
  ],
  pdf: [
    "day",
    "started_local",
    "ended_local",
    "started_at",
    "ended_at",
    "user",
    "project",
    "description",
    "tags",
    "billable",
    "duration",
    "hours",
    "amount",
    "converted",
  ],
};

type Rows = Pick<Document, "columns" | "rows" | "totalRows">;

/** A column of a summary with its figure. */
type Figure = Column & { of: (part: Part, currency: string) => Cell };

const time = { width: 10, of: ({ seconds }: Part): Cell => seconds };
const billable = { width: 14, of: ({ billableSeconds }: Part): Cell => billableSeconds };

const figures = {
  seconds: { ...time, name: "duration_seconds", title: "Time", kind: "seconds" },
  duration: { ...time, name: "duration", title: "Time", kind: "duration" },
  hours: { ...time, name: "hours", title: "Hours", kind: "hours" },
  billableSeconds: { ...billable, name: "billable_seconds", title: "Billable", kind: "seconds" },
  billableDuration: { ...billable, name: "billable_duration", title: "Billable", kind: "duration" },
  billableHours: { ...billable, name: "billable_hours", title: "Billable hours", kind: "hours" },
  entries: {
    name: "entry_count",
    title: "Entries",
    kind: "count",
    width: 9,
    of: ({ entryCount }: Part): Cell => entryCount,
  },
  amount: {
    name: "amount",
    title: "Amount",
    kind: "money",
    width: 16,
    of: ({ amount }: Part, currency: string): Cell => Money.view({ minor: amount, currency }),
  },
  percent: {
    name: "billable_percent",
    title: "Billable %",
    kind: "decimal",
    width: 11,
    of: ({ billableSeconds, seconds }: Part): Cell => formatPercent(billableSeconds, seconds),
  },
} as const satisfies Record<string, Figure>;

/** The columns of a metric. In CSV, `added` follow all others. */
const metricFigures: Readonly<Record<Metric, { plain: Figure; added: readonly Figure[] }>> = {
  duration_seconds: { plain: figures.seconds, added: [figures.duration, figures.hours] },
  billable_seconds: {
    plain: figures.billableSeconds,
    added: [figures.billableDuration, figures.billableHours],
  },
  entry_count: { plain: figures.entries, added: [] },
  amounts: { plain: figures.amount, added: [] },
  billable_percent: { plain: figures.percent, added: [] },
};

function figuresOf(
  metrics: readonly Metric[],
  convertTo: string | undefined,
  format: TableFormat,
): readonly Figure[] {
  const all = metrics.map((metric) => metricFigures[metric]);
  const converted =
    convertTo !== undefined && metrics.includes("amounts") ? [convertedFigure(convertTo)] : [];
  if (format !== "csv")
    return [...all.flatMap(({ plain, added }) => (added.length > 0 ? added : [plain])), ...converted];
  return [...all.map(({ plain }) => plain), ...converted, ...all.flatMap(({ added }) => added)];
}

function convertedFigure(currency: string): Figure {
  return {
    ...convertedColumn(currency),
    of: ({ converted, withoutRate }) => (withoutRate > 0 ? null : Money.view({ minor: converted, currency })),
  };
}

function convertedColumn(currency: string): Column {
  return {
    name: `converted_${currency.toLowerCase()}`,
    title: `In ${currency}`,
    kind: "money",
    width: 16,
  };
}

/** Explains an empty converted amount of a group in CSV, which has no totals that could name the missing rates. */
const withoutRateFigure: Figure = {
  name: "entries_without_rate",
  title: "Entries without rate",
  kind: "count",
  width: 9,
  of: ({ withoutRate }) => withoutRate,
};

const currencyColumn: Column = { name: "currency", title: "Currency", kind: "text", width: 9 };

/** The levels whose keys are ids, with the names of the columns of these. */
const idNames: Partial<Readonly<Record<Dimension, string>>> = {
  user: "user_id",
  project: "project_id",
  team: "team_id",
};

type GroupOptions = {
  levels: readonly Dimension[];
  metrics?: readonly Metric[] | undefined;
  format: TableFormat;
};

/** Returns one row per innermost group and currency, so that all figures of a row have one currency. */
export function groupRows(
  { convertTo }: ReportScope,
  { levels, metrics = defaultMetrics, format }: GroupOptions,
  { groups, total }: Tree,
): Rows {
  // A PDF shows the currency with each amount.
  const currencies = levels.includes("currency") || format === "pdf" ? [] : [currencyColumn];
  const shown = figuresOf(metrics, convertTo, format);
  const ids = format === "pdf" ? [] : levels.filter((level) => idNames[level]);
  const last =
    format === "csv" && convertTo !== undefined && metrics.includes("amounts") ? [withoutRateFigure] : [];
  const rowOf = ({ labels, keys }: Path, currency: string, part: Part): Cell[] => [
    ...labels,
    ...currencies.map(() => currency),
    ...shown.map(({ of }) => of(part, currency)),
    ...ids.map((level) => keys[levels.indexOf(level)] ?? null),
    ...last.map(({ of }) => of(part, currency)),
  ];
  async function* rows() {
    const innermost: [Path, Sum][] =
      levels.length === 0 ? [[{ labels: [], keys: [] }, total]] : innermostGroups(groups);
    yield innermost.flatMap(([path, sum]) =>
      sorted(sum).map(([currency, part]) => rowOf(path, currency, part)),
    );
  }
  const columns = [
    ...levels.map((level) => levelColumn(level, level)),
    ...currencies,
    ...shown,
    ...ids.map(
      (level): Column => ({
        name: idNames[level] ?? "",
        title: `${titles[level]} ID`,
        kind: "text",
        width: 30,
      }),
    ),
    ...last,
  ];
  return { columns, rows: rows(), totalRows: totalRows(columns, shown, total) };
}

function levelColumn(level: Dimension, name: string): Column {
  return level === "day"
    ? { name, title: titles[level], kind: "day", width: 12 }
    : { name, title: titles[level], kind: "text", width: 28 };
}

/** The labels and keys of a group, from the first level down. */
type Path = { labels: readonly string[]; keys: readonly Key[] };

function innermostGroups(groups: readonly Group[], parents: Path = { labels: [], keys: [] }): [Path, Sum][] {
  return groups.flatMap(({ key, label, sum, groups: children }): [Path, Sum][] => {
    const path = { labels: [...parents.labels, label], keys: [...parents.keys, key] };
    return children.length === 0 ? [[path, sum]] : innermostGroups(children, path);
  });
}

function sorted(sum: Sum): [string, Part][] {
  return [...sum].sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Returns a row for each currency, if there are several, and one for all entries, whose amount is empty if there are several
 * currencies. Entries that are in several groups count once.
 */
function totalRows(columns: readonly Column[], shown: readonly Figure[], total: Sum): TotalRow[] {
  const parts = sorted(total);
  const rowOf = (label: string, part: Part, currency: string | undefined): TotalRow => ({
    label,
    cells: columns.map(({ name }) => {
      if (name === currencyColumn.name) return currency ?? null;
      const figure = shown.find((one) => one.name === name);
      if (!figure || (figure.name === figures.amount.name && currency === undefined)) return null;
      return figure.of(part, currency ?? "");
    }),
  });
  const [[only] = []] = parts;
  const all = parts.reduce<Part | undefined>((sum, [, part]) => plus(sum, part), undefined);
  return [
    ...(parts.length > 1 ? parts.map(([currency, part]) => rowOf(`Total ${currency}`, part, currency)) : []),
    ...(all ? [rowOf("Total", all, parts.length === 1 ? only : undefined)] : []),
  ];
}

/** Numbers of characters that fit into the columns of entries. */
const widths: Partial<Readonly<Record<Name, number>>> = {
  day: 12,
  started_at: 20,
  ended_at: 20,
  started_local: 20,
  ended_local: 20,
  user: 24,
  project: 28,
  client: 24,
  description: 48,
  tags: 20,
  billable: 9,
  timezone: 20,
  currency: 9,
  duration: 12,
  duration_seconds: 10,
  hours: 12,
  hourly_rate: 14,
  amount: 16,
};

type EntryOptions = {
  levels: readonly Dimension[];
  columns?: readonly Name[] | undefined;
  direction: "asc" | "desc";
  format: TableFormat;
};

/** Returns one row per entry, preceded by the labels of its groups. */
export function entryRows(
  reader: Reader,
  scope: ReportScope,
  { levels, columns: chosen, direction, format }: EntryOptions,
  rates: Rates | undefined,
  { total }: Tree,
): Rows {
  const { convertTo } = scope;
  // On paper, a column that repeats the group of the row would take room from the others.
  const defaults = defaultColumns[format].filter(
    (name) => format !== "pdf" || name === "day" || !levels.some((level) => level === name),
  );
  const names = columnsOf(scope, chosen, defaults);
  async function* rows() {
    for await (const batch of readEntries(reader, scope, levels, rates, direction)) {
      const labels = await labelsOfBatch(reader, scope, levels, batch);
      yield batch.map((entry) => [
        ...labels.map((label, at) => label(entry.keys[at] ?? null)),
        ...names.map((name) => cellOf(entry, name, convertTo)),
      ]);
    }
  }
  const columns = [
    ...levels.map((level) => levelColumn(level, `group_${level}`)),
    ...names.map((name) => entryColumn(name, convertTo)),
  ];
  const summed = [
    figures.seconds,
    figures.duration,
    figures.hours,
    figures.amount,
    ...(convertTo === undefined ? [] : [convertedFigure(convertTo)]),
  ];
  return { columns, rows: rows(), totalRows: totalRows(columns, summed, total) };
}

function entryColumn(name: Name, convertTo: string | undefined): Column {
  if (name === "converted" && convertTo !== undefined) return convertedColumn(convertTo);
  const { title, kind }: { title: string; kind: Kind } = columnDefinitions[name];
  return { name, title, kind, width: widths[name] ?? 30 };
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

function cellOf(entry: Entry, name: Name, convertTo: string | undefined): Cell {
  if (name === "duration" || name === "hours") return entry.durationSeconds;
  const value = columnDefinitions[name].value(entry);
  if (value === null) return null;
  if (columnDefinitions[name].kind === "money")
    return {
      amount: String(value),
      currency: name === "converted" && convertTo !== undefined ? convertTo : entry.currency,
    };
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value as string | number;
}

/** Returns the chosen columns, or else the default ones, of which `converted` requires a converted report. */
export function columnsOf(
  { convertTo }: ReportScope,
  chosen: readonly Name[] | undefined,
  defaults: readonly Name[],
): readonly Name[] {
  return chosen ?? defaults.filter((name) => name !== "converted" || convertTo !== undefined);
}
