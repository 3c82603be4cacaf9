import { type RawBuilder, sql } from "kysely";
import * as z from "zod/mini";
import { localTime } from "../base/day.ts";
import { type ErrorSource, invalidWithCode } from "../base/invalid.ts";
import { minorUnits } from "../money/currency.ts";
import * as Rational from "../money/rational.ts";
import type { Reader } from "../platform/db/engine.ts";
import type { Dimension } from "./dimension.ts";
import { type Key, keyReader } from "./dimension-sql.ts";
import { formatDuration, formatHours } from "./document.ts";
import { convertedAmount, entrySelects, keyColumns, type Rates, where } from "./entries.ts";
import { dayOf } from "./period.ts";
import type { ReportScope } from "./report-scope.ts";

/** Entries per statement. */
const batchSize = 1000;

/** A time entry in a report. Times are instants, money is decimal. */
export type Entry = {
  /** The keys of its groups, by the levels of the report. */
  keys: Key[];
  id: string;
  day: string;
  startedAt: string;
  /** Null while the timer runs. */
  endedAt: string | null;
  user: string;
  userId: string;
  project: string | null;
  projectId: string | null;
  client: string | null;
  description: string;
  tags: string[];
  billable: boolean;
  durationSeconds: number;
  hourlyRate: string | null;
  amount: string;
  currency: string;
  /** The time zone of the report. */
  timezone: string;
  /** The amount in the requested currency; null if no currency was requested or no rate is available. */
  converted: string | null;
};

type Value = string | number | boolean | readonly string[] | null;

/** The columns of entries, by their names in requests. */
export const columns = {
  id: { title: "ID", kind: "text", value: ({ id }: Entry): Value => id },
  day: { title: "Day", kind: "day", value: ({ day }: Entry): Value => day },
  started_at: { title: "Start (UTC)", kind: "instant", value: ({ startedAt }: Entry): Value => startedAt },
  ended_at: { title: "End (UTC)", kind: "instant", value: ({ endedAt }: Entry): Value => endedAt },
  user: { title: "Person", kind: "text", value: ({ user }: Entry): Value => user },
  user_id: { title: "Person ID", kind: "text", value: ({ userId }: Entry): Value => userId },
  project: { title: "Project", kind: "text", value: ({ project }: Entry): Value => project },
  project_id: { title: "Project ID", kind: "text", value: ({ projectId }: Entry): Value => projectId },
  client: { title: "Client", kind: "text", value: ({ client }: Entry): Value => client },
  description: { title: "Description", kind: "text", value: ({ description }: Entry): Value => description },
  tags: { title: "Tags", kind: "text", value: ({ tags }: Entry): Value => tags },
  billable: { title: "Billable", kind: "text", value: ({ billable }: Entry): Value => billable },
  duration_seconds: {
    title: "Time",
    kind: "seconds",
    value: ({ durationSeconds }: Entry): Value => durationSeconds,
  },
  hourly_rate: { title: "Rate", kind: "money", value: ({ hourlyRate }: Entry): Value => hourlyRate },
  amount: { title: "Amount", kind: "money", value: ({ amount }: Entry): Value => amount },
  currency: { title: "Currency", kind: "text", value: ({ currency }: Entry): Value => currency },
  converted: { title: "Converted", kind: "money", value: ({ converted }: Entry): Value => converted },
  started_local: {
    title: "Start",
    kind: "local",
    value: ({ startedAt, timezone }: Entry): Value => localTime(timezone, new Date(startedAt)),
  },
  ended_local: {
    title: "End",
    kind: "local",
    value: ({ endedAt, timezone }: Entry): Value =>
      endedAt === null ? null : localTime(timezone, new Date(endedAt)),
  },
  timezone: { title: "Time zone", kind: "text", value: ({ timezone }: Entry): Value => timezone },
  duration: {
    title: "Time",
    kind: "duration",
    value: ({ durationSeconds }: Entry): Value => formatDuration(durationSeconds),
  },
  hours: {
    title: "Hours",
    kind: "hours",
    value: ({ durationSeconds }: Entry): Value => formatHours(durationSeconds, 4),
  },
} as const;

export const columnNames = Object.keys(columns) as (keyof typeof columns)[];
export const Column = z.enum(columnNames as [keyof typeof columns, ...(keyof typeof columns)[]]);
export type Column = z.infer<typeof Column>;

/** Throws `invalid` `report_too_large` at `source`, with advice, when the report has more than `most` entries. */
export async function requireAtMost(
  reader: Reader,
  scope: ReportScope,
  most: number,
  source: ErrorSource,
  advice = "Choose fewer days or more filters.",
): Promise<void> {
  const { rows } = await sql<{ found: string }>`SELECT count(*)::text AS found FROM (
    SELECT 1 FROM time_entries WHERE ${where(scope)} LIMIT ${sql.lit(most + 1)}) AS counted`.execute(reader);
  if (Number(rows[0]?.found) > most)
    throw invalidWithCode(source, "report_too_large", `The report has more than ${most} entries. ${advice}`);
}

/** Position of the last entry of a batch. `at` is text, because a Date would lose the microseconds. */
type Position = { at: string; id: string };

/**
 * Yields the entries of a report in batches, sorted by start. An entry that belongs to several groups of a level occurs once
 * in each of them.
 */
export async function* readEntries(
  reader: Reader,
  scope: ReportScope,
  levels: readonly Dimension[],
  rates: Rates | undefined,
  direction: "asc" | "desc" = "asc",
): AsyncGenerator<Entry[], void, undefined> {
  const readers = levels.map((level) => keyReader(level, scope.period));
  for (let last: Position | undefined; ; ) {
    const { rows } = await batchSql(scope, levels, rates, direction, last).execute(reader);
    const end = rows.at(-1);
    if (!end) return;
    yield rows.map((row) =>
      entryOf(
        row,
        readers.map((read, at) => read(row[`k${at}`])),
        scope,
      ),
    );
    last = { at: end.at, id: end.id };
  }
}

const entryColumns = [
  "id",
  "started_at",
  "ended_at",
  "user_id",
  "project_id",
  "description",
  "tags",
  "hourly_rate_minor",
].map((name) => sql.ref(`time_entries.${name}`));

/** Reads the batch after a position. The batch is cut before the joins multiply an entry by its tags or teams. */
function batchSql(
  scope: ReportScope,
  levels: readonly Dimension[],
  rates: Rates | undefined,
  direction: "asc" | "desc",
  last: Position | undefined,
): RawBuilder<EntryRow> {
  const later = direction === "asc" ? sql`>` : sql`<`;
  const order = sql.raw(direction);
  const columns = [...keyColumns(levels, scope), ...entryColumns];
  const { finished, running } = entrySelects({
    scope,
    levels,
    columns,
    rates,
    from: sql`cut AS time_entries`,
  });
  return sql<EntryRow>`
    WITH cut AS MATERIALIZED (SELECT * FROM time_entries WHERE ${where(scope)}
      ${last ? sql`AND (started_at, id) ${later} (${last.at}::timestamptz, ${last.id})` : sql``}
      ORDER BY started_at ${order}, id ${order} LIMIT ${sql.lit(batchSize)})
    SELECT entry.*, entry.started_at::text AS at, seconds::text AS seconds, amount::text AS amount,
      ${rates ? sql`(${convertedAmount})::text` : sql`NULL`} AS converted,
      users.name AS user_name, named.name AS project_name, NULLIF(named.client, '') AS client
    FROM (${finished} UNION ALL ${running}) AS entry
    LEFT JOIN users ON users.id = entry.user_id
    LEFT JOIN projects AS named ON named.id = entry.project_id
    ORDER BY entry.started_at ${order}, entry.id ${order}`;
}

type EntryRow = Record<string, unknown> & {
  id: string;
  at: string;
  started_at: Date;
  ended_at: Date | null;
  user_id: string;
  project_id: string | null;
  description: string;
  tags: string[];
  hourly_rate_minor: bigint | null;
  billable: boolean;
  currency: string;
  seconds: string;
  amount: string;
  converted: string | null;
  user_name: string | null;
  project_name: string | null;
  client: string | null;
};

function entryOf(row: EntryRow, keys: Key[], { period, convertTo }: ReportScope): Entry {
  const decimal = (minor: bigint, currency: string) => Rational.formatUnits(minor, minorUnits(currency));
  return {
    keys,
    id: row.id,
    day: dayOf(period, row.started_at),
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    user: row.user_name ?? "",
    userId: row.user_id,
    project: row.project_name,
    projectId: row.project_id,
    client: row.client,
    description: row.description,
    tags: row.tags,
    billable: row.billable,
    durationSeconds: Number(row.seconds),
    hourlyRate: row.hourly_rate_minor === null ? null : decimal(row.hourly_rate_minor, row.currency),
    amount: decimal(BigInt(row.amount), row.currency),
    currency: row.currency,
    timezone: period.timezone,
    converted:
      convertTo === undefined || row.converted === null ? null : decimal(BigInt(row.converted), convertTo),
  };
}
