import { minorUnits } from "../money/currency.ts";
import * as Rational from "../money/rational.ts";
import type { Reader } from "../platform/db/engine.ts";
import { charts } from "./chart.ts";
import { csv } from "./csv.ts";
import { type Metric, made, rowOf, type Sort } from "./custom.ts";
import {
  columnNames,
  demandFewer,
  type Entry,
  entries,
  columns as known,
  type Column as Name,
} from "./detail.ts";
import { type Dimension, labels, titles } from "./dimension.ts";
import type { Cell, Column, Document } from "./document.ts";
import { type Rates, ratesOf, type Scope } from "./entries.ts";
import { type Group, grouped, type Part, type Sum, sumView } from "./groups.ts";
import type { Format } from "./object-key.ts";
import { counted, view } from "./summary.ts";

export const types = ["summary", "detailed", "custom"] as const;

/** A file has so many rows at most; in print, four hundred pages. */
export const maxRows = 100_000;
export const maxPrintedRows = 20_000;

/** What a file is to have in it. */
export type Terms = {
  type: (typeof types)[number];
  format: Format;
  levels: readonly Dimension[];
  columns?: readonly Name[] | undefined;
  metrics?: readonly Metric[] | undefined;
  sort?: Sort | undefined;
  charts: boolean;
};

const contentTypes: Readonly<Record<Format, string>> = {
  json: "application/json",
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pdf: "application/pdf",
};

const place = { pointer: "/from" };

/** Columns of entries when nobody chooses: all for programs, without ids for people. */
const all = columnNames.filter((name) => name !== "converted");
const usual = all.filter((name) => !["id", "user_id", "project_id"].includes(name));

/**
 * The bytes of a report, as `collect` gathers them: part of a transaction that only reads, so that rows, totals and charts
 * are of one moment. Throws 422 `report_too_large`.
 */
export async function written(
  reader: Reader,
  of: Scope,
  terms: Terms,
  collect: (chunks: AsyncIterable<Uint8Array>) => Promise<Buffer>,
): Promise<{ body: Buffer; contentType: string }> {
  if (showsEntries(terms)) await demandFewer(reader, of, mostRows(terms), place);
  const chunks = terms.format === "json" ? json(reader, of, terms) : file(reader, of, terms);
  return { body: await collect(chunks), contentType: contentTypes[terms.format] };
}

function mostRows({ format }: Terms): number {
  return format === "pdf" ? maxPrintedRows : maxRows;
}

/** A detailed report is of entries, a custom one when it has columns. */
function showsEntries({ type, columns = [] }: Terms): boolean {
  return type === "detailed" || (type === "custom" && columns.length > 0);
}

async function* file(reader: Reader, of: Scope, terms: Terms): AsyncGenerator<Uint8Array, void, undefined> {
  const document = await documentOf(reader, of, terms);
  // Each writer is loaded by who needs it: together they are larger than all else in this function.
  if (terms.format === "csv") yield* csv(document);
  else if (terms.format === "xlsx") yield* (await import("./xlsx.ts")).xlsx(document);
  else yield* (await import("./pdf.ts")).pdf(document, of.now);
}

async function* json(reader: Reader, of: Scope, terms: Terms): AsyncGenerator<Uint8Array, void, undefined> {
  const { type, levels } = terms;
  const text = (value: unknown) => Buffer.from(JSON.stringify(value));
  if (type === "summary")
    return yield text(view(of, await counted(reader, of, levels, place, terms.charts, maxRows)));
  const rates = await ratesOf(reader, of);
  const drawn = terms.charts ? { charts: await chartsOf(reader, of, levels, rates) } : {};
  if (type === "custom") {
    const asked = { ...terms, columns: terms.columns ?? [] };
    return yield text({ ...(await made(reader, of, asked, place)), ...drawn });
  }
  const { total } = await grouped(reader, of, [], rates, { place });
  const { from, to, timezone } = of.period;
  const head = JSON.stringify({ from, to, timezone, totals: sumView(total, of.convertTo), ...drawn });
  yield Buffer.from(`${head.slice(0, -1)},"entries":[`);
  const shown = namesOf(of, terms.columns, all);
  let first = true;
  for await (const some of entries(reader, of, levels, rates, direction(terms))) {
    const rows = some.map((entry) => JSON.stringify(rowOf(entry, shown)));
    yield Buffer.from((first ? "" : ",") + rows.join(","));
    first = false;
  }
  yield Buffer.from("]}");
}

async function chartsOf(reader: Reader, of: Scope, levels: readonly Dimension[], rates: Rates | undefined) {
  const [level] = levels;
  const tree = await grouped(reader, of, level ? [level] : [], rates, { place, most: maxRows });
  return charts(reader, of, tree, level, rates, place);
}

async function documentOf(reader: Reader, of: Scope, terms: Terms): Promise<Document> {
  const { type, levels } = terms;
  const rates = await ratesOf(reader, of);
  const tree = await grouped(reader, of, levels, rates, { place, most: mostRows(terms) });
  const { from, to, timezone } = of.period;
  const sum = sumView(tree.total, of.convertTo);
  const drawn = terms.charts ? await charts(reader, of, tree, levels[0], rates, place) : [];
  const rows = showsEntries(terms)
    ? entryRows(reader, of, terms, rates)
    : groupRows(of, terms, tree.groups, tree.total);
  return {
    title: { summary: "Summary report", detailed: "Detailed report", custom: "Custom report" }[type],
    from,
    to,
    timezone,
    totals: [
      ["Time", sum.durationSeconds, "seconds"],
      ["Billable time", sum.billableSeconds, "seconds"],
      ["Entries", sum.entryCount, "count"],
      ...sum.amounts.map(({ amount, currency }) => [`Amount ${currency}`, amount, "money"] as const),
      ...(of.convertTo === undefined
        ? []
        : [
            [
              `All in ${of.convertTo}`,
              sum.converted?.amount ?? "no rate",
              sum.converted ? "money" : "text",
            ] as const,
          ]),
    ],
    charts: drawn,
    ...rows,
  };
}

type Rows = Pick<Document, "columns" | "rows">;

const figures: Readonly<Record<Metric, Column>> = {
  duration_seconds: { name: "duration_seconds", title: "Time", kind: "seconds", width: 2 },
  billable_seconds: { name: "billable_seconds", title: "Billable", kind: "seconds", width: 2 },
  entry_count: { name: "entry_count", title: "Entries", kind: "count", width: 1 },
  amounts: { name: "amount", title: "Amount", kind: "money", width: 2 },
  billable_percent: { name: "billable_percent", title: "Billable %", kind: "money", width: 1 },
};

/** A row for each deepest group and currency, so that every figure of a row is of one currency. */
function groupRows(of: Scope, { levels, metrics }: Terms, groups: readonly Group[], total: Sum): Rows {
  const wanted = metrics ?? (["duration_seconds", "billable_seconds", "entry_count", "amounts"] as const);
  const money = of.convertTo !== undefined && wanted.includes("amounts");
  const columns: Column[] = [
    ...levels.map((level): Column => ({ name: level, title: titles[level], kind: "text", width: 4 })),
    ...(levels.includes("currency")
      ? []
      : [{ name: "currency", title: "Currency", kind: "text", width: 1 } as const]),
    ...wanted.map((metric) => figures[metric]),
    ...(money
      ? [
          {
            name: `converted_${of.convertTo?.toLowerCase()}`,
            title: `In ${of.convertTo}`,
            kind: "money",
            width: 2,
          } as const,
        ]
      : []),
  ];
  const line = (names: readonly string[], currency: string, part: Part): Cell[] => [
    ...names,
    ...(levels.includes("currency") ? [] : [currency]),
    ...wanted.map((metric): Cell => {
      if (metric === "duration_seconds") return part.seconds;
      if (metric === "billable_seconds") return part.billableSeconds;
      if (metric === "entry_count") return part.entryCount;
      if (metric === "amounts") return Rational.formatUnits(part.amount, minorUnits(currency));
      return percent(part);
    }),
    ...(money
      ? [
          part.converted === null
            ? null
            : Rational.formatUnits(part.converted, minorUnits(of.convertTo ?? "")),
        ]
      : []),
  ];
  async function* rows() {
    const leaves = levels.length === 0 ? [{ names: [] as string[], sum: total }] : flat(groups, []);
    yield leaves.flatMap(({ names, sum }) =>
      [...sum].sort(([a], [b]) => (a < b ? -1 : 1)).map(([currency, part]) => line(names, currency, part)),
    );
  }
  return { columns, rows: rows() };
}

function percent({ billableSeconds, seconds }: Part): string {
  return seconds === 0
    ? "0.00"
    : Rational.toPlaces({ n: BigInt(billableSeconds) * 100n, d: BigInt(seconds) }, 2);
}

function flat(groups: readonly Group[], above: readonly string[]): { names: string[]; sum: Sum }[] {
  return groups.flatMap(({ label, sum, groups }) => {
    const names = [...above, label];
    return groups.length === 0 ? [{ names, sum }] : flat(groups, names);
  });
}

/** How wide columns of entries are in print; what is not here is only in the other files. */
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

/** A row for each entry, with its groups in front. */
function entryRows(reader: Reader, of: Scope, terms: Terms, rates: Rates | undefined): Rows {
  const { levels } = terms;
  const names = namesOf(of, terms.columns, usual);
  const columns: Column[] = [
    ...levels.map(
      (level): Column => ({ name: `group_${level}`, title: titles[level], kind: "text", width: 3 }),
    ),
    ...names.map((name): Column => {
      const { title, kind } = known[name];
      const width = widths[name] ?? (terms.columns ? 3 : 0);
      if (name === "duration_seconds") return { name, title: "Time", kind: "seconds", width };
      if (name === "converted")
        return { name: `converted_${of.convertTo?.toLowerCase()}`, title: `In ${of.convertTo}`, kind, width };
      return { name, title, kind, width };
    }),
  ];
  async function* rows() {
    const { period, workspaceId } = of;
    for await (const some of entries(reader, of, levels, rates, direction(terms))) {
      const named = await Promise.all(
        levels.map((level, at) =>
          labels(reader, level, period, workspaceId, [...new Set(some.map(({ keys }) => keys[at] ?? null))]),
        ),
      );
      yield some.map((entry) => [
        ...named.map((label, at) => label(entry.keys[at] ?? null)),
        ...names.map((name) => cell(entry, name)),
      ]);
    }
  }
  return { columns, rows: rows() };
}

function cell(entry: Entry, name: Name): Cell {
  const value = known[name].value(entry);
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value as Cell;
}

/** The columns that were chosen, or these; converted amounts come with the currency that they are in. */
function namesOf({ convertTo }: Scope, chosen: readonly Name[] | undefined, others: readonly Name[]): Name[] {
  if (chosen) return [...chosen];
  return convertTo === undefined ? [...others] : [...others, "converted"];
}

function direction({ sort }: Terms): "asc" | "desc" {
  return sort === "-started_at" ? "desc" : "asc";
}
