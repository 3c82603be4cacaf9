import type { MissingRate } from "../money/missing-rates.ts";
import type { Reader } from "../platform/db/engine.ts";
import { describeFilters, type FileFilters, workspaceName } from "./about.ts";
import { charts } from "./chart.ts";
import { csv } from "./csv.ts";
import { compose, type Metric, pickColumns, type Sort } from "./custom.ts";
import { type Column, readEntries, requireAtMost } from "./detail.ts";
import type { Dimension } from "./dimension.ts";
import type { Document } from "./document.ts";
import { columnsOf, entryRows, groupRows, jsonColumns, type TableFormat } from "./document-rows.ts";
import { type Rates, ratesOf } from "./entries.ts";
import { grouped, type SumView, sumView } from "./groups.ts";
import { missingRatesOf } from "./missing-rates.ts";
import type { Format } from "./object-key.ts";
import type { ReportScope } from "./report-scope.ts";
import { summarize, view } from "./summary.ts";

export const types = ["summary", "detailed", "custom"] as const;

/** Maximum number of rows in a file. */
export const maxRows = 100_000;

/** Maximum number of rows in a PDF: about four hundred pages. */
export const maxPrintedRows = 20_000;

/** The requested contents of a report file. */
export type FileOptions = {
  type: (typeof types)[number];
  format: Format;
  levels: readonly Dimension[];
  columns?: readonly Column[] | undefined;
  metrics?: readonly Metric[] | undefined;
  sort?: Sort | undefined;
  charts: boolean;
  /** The filters of the scope, to name them in the file. */
  filters: FileFilters;
  /** Whether a CSV file starts with a byte order mark. */
  bom: boolean;
};

const contentTypes: Readonly<Record<Format, string>> = {
  json: "application/json",
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pdf: "application/pdf",
};

/** The field to name in errors about the size of a report. */
const source = { pointer: "/from" };

type Chunks = AsyncGenerator<Uint8Array, void, undefined>;

/**
 * Renders a report file and passes its bytes to `collect`. Pass a transaction as `reader`, so that rows, totals and charts
 * come from one snapshot. Throws `invalid` `report_too_large`.
 */
export async function render(
  reader: Reader,
  scope: ReportScope,
  options: FileOptions,
  collect: (chunks: AsyncIterable<Uint8Array>) => Promise<Buffer>,
): Promise<{ body: Buffer; contentType: string }> {
  if (hasEntries(options)) await requireAtMost(reader, scope, rowLimit(options), source, advice(options));
  return { body: await collect(file(reader, scope, options)), contentType: contentTypes[options.format] };
}

function rowLimit({ format }: FileOptions): number {
  return format === "pdf" ? maxPrintedRows : maxRows;
}

/** Returns what to do about a report with too many rows. */
function advice({ format }: FileOptions): string {
  return format === "pdf"
    ? `Choose CSV, which can have ${maxRows} rows, or fewer days or more filters.`
    : "Choose fewer days or more filters.";
}

/** Returns whether rows are entries: in a detailed report, and in a custom report with columns. */
function hasEntries({ type, columns = [] }: FileOptions): boolean {
  return type === "detailed" || (type === "custom" && columns.length > 0);
}

async function* file(reader: Reader, scope: ReportScope, options: FileOptions): Chunks {
  const { format, bom } = options;
  if (format === "json") return yield* json(reader, scope, options);
  const document = await documentOf(reader, scope, options, format);
  // The writers are imported on demand, because together they are larger than the rest of the function.
  if (format === "csv") yield* csv(document, { bom });
  else if (format === "xlsx") yield* (await import("./xlsx.ts")).xlsx(document);
  else yield* (await import("./pdf.ts")).pdf(document);
}

async function* json(reader: Reader, scope: ReportScope, options: FileOptions): Chunks {
  const { type, levels } = options;
  const text = (value: unknown) => Buffer.from(JSON.stringify(value));
  if (type === "summary")
    return yield text(view(scope, await summarize(reader, scope, levels, source, options.charts, maxRows)));
  const rates = await ratesOf(reader, scope);
  const drawn = options.charts ? { charts: await chartsOf(reader, scope, levels, rates) } : {};
  if (type === "detailed") return yield* detailedJson(reader, scope, options, rates, drawn);
  const composition = { ...options, columns: options.columns ?? [] };
  yield text({ ...(await compose(reader, scope, composition, source)), ...drawn });
}

/** Writes the entries batch by batch, so that they are never all in memory as objects. */
async function* detailedJson(
  reader: Reader,
  scope: ReportScope,
  options: FileOptions,
  rates: Rates | undefined,
  drawn: object,
): Chunks {
  const { total } = await grouped(reader, scope, [], rates, { source });
  const { from, to, timezone } = scope.period;
  const missingRates = await missingRatesOf(reader, scope, total, rates);
  const totals = sumView(total, scope.convertTo);
  const head = JSON.stringify({
    from,
    to,
    timezone,
    totals,
    ...(missingRates && { missingRates }),
    ...drawn,
  });
  yield Buffer.from(`${head.slice(0, -1)},"entries":[`);
  const names = columnsOf(scope, options.columns, jsonColumns);
  let first = true;
  for await (const batch of readEntries(reader, scope, options.levels, rates, direction(options))) {
    const rows = batch.map((entry) => JSON.stringify(pickColumns(entry, names)));
    yield Buffer.from((first ? "" : ",") + rows.join(","));
    first = false;
  }
  yield Buffer.from("]}");
}

async function chartsOf(
  reader: Reader,
  scope: ReportScope,
  levels: readonly Dimension[],
  rates: Rates | undefined,
) {
  const [level] = levels;
  const tree = await grouped(reader, scope, level ? [level] : [], rates, { source, most: maxRows });
  return charts(reader, scope, tree, level, rates, source);
}

const titles = { summary: "Summary report", detailed: "Detailed report", custom: "Custom report" };

async function documentOf(
  reader: Reader,
  scope: ReportScope,
  options: FileOptions,
  format: TableFormat,
): Promise<Document> {
  const { type, levels, columns, metrics } = options;
  const rates = await ratesOf(reader, scope);
  const tree = await grouped(reader, scope, levels, rates, {
    source,
    most: rowLimit(options),
    advice: advice(options),
  });
  const missingRates = await missingRatesOf(reader, scope, tree.total, rates);
  const { from, to, timezone } = scope.period;
  return {
    workspace: await workspaceName(reader, scope),
    title: titles[type],
    from,
    to,
    timezone,
    created: scope.now,
    filters: await describeFilters(reader, scope, options.filters),
    totals: totalsOf(sumView(tree.total, scope.convertTo), scope.convertTo, missingRates ?? []),
    charts: options.charts ? await charts(reader, scope, tree, levels[0], rates, source) : [],
    ...(hasEntries(options)
      ? entryRows(reader, scope, { levels, columns, direction: direction(options), format }, rates, tree)
      : groupRows(scope, { levels, metrics, format }, tree)),
  };
}

function totalsOf(
  sum: SumView,
  convertTo: string | undefined,
  missingRates: readonly MissingRate[],
): Document["totals"] {
  return [
    { name: "Time", value: sum.durationSeconds, kind: "duration" },
    { name: "Billable time", value: sum.billableSeconds, kind: "duration" },
    { name: "Entries", value: sum.entryCount, kind: "count" },
    ...sum.amounts.map((amount) => ({
      name: `Amount ${amount.currency}`,
      value: amount,
      kind: "money" as const,
    })),
    ...(convertTo === undefined ? [] : convertedTotals(sum, convertTo, missingRates)),
  ];
}

/** Returns the converted total. If rates are missing, returns what is known and the entries that it leaves out. */
function convertedTotals(
  { converted, convertedKnown }: SumView,
  convertTo: string,
  missingRates: readonly MissingRate[],
): Document["totals"] {
  if (converted) return [{ name: `Total in ${convertTo}`, value: converted, kind: "money" }];
  return [
    { name: `Total in ${convertTo}`, value: "incomplete", kind: "text" },
    { name: `Known in ${convertTo}`, value: convertedKnown ?? null, kind: "money" },
    ...missingRates.map(({ currency, from, to, entries }) => ({
      name: `No rate for ${currency}`,
      value: `${entries} ${entries === 1 ? "entry" : "entries"}, ${from === to ? from : `${from} to ${to}`}`,
      kind: "text" as const,
    })),
  ];
}

function direction({ sort }: FileOptions): "asc" | "desc" {
  return sort === "-started_at" ? "desc" : "asc";
}
