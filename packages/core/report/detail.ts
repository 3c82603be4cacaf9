import { sql } from "kysely";
import * as z from "zod/mini";
import { type ErrorSource, invalidWithCode } from "../base/invalid.ts";
import { minorUnits } from "../money/currency.ts";
import * as Rational from "../money/rational.ts";
import type { Reader } from "../platform/db/engine.ts";
import { type Dimension, type Key, keyFrom } from "./dimension.ts";
import { converted, keys, measured, type Rates, type Scope, where } from "./entries.ts";
import { dayOf } from "./period.ts";

/** So many entries are read at a time. */
const batch = 1000;

/** An entry in a report; times are instants, money is decimal. */
export type Entry = {
  /** Its groups, by the levels of the report. */
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
  /** In the currency that was asked for; null where there is no rate, or none was asked for. */
  converted: string | null;
};

type Value = string | number | boolean | readonly string[] | null;

/** What can be shown of an entry, by the name under which it is asked for. */
export const columns = {
  id: { title: "Id", kind: "text", value: ({ id }: Entry): Value => id },
  day: { title: "Day", kind: "text", value: ({ day }: Entry): Value => day },
  started_at: { title: "Start", kind: "text", value: ({ startedAt }: Entry): Value => startedAt },
  ended_at: { title: "End", kind: "text", value: ({ endedAt }: Entry): Value => endedAt },
  user: { title: "Person", kind: "text", value: ({ user }: Entry): Value => user },
  user_id: { title: "Person’s id", kind: "text", value: ({ userId }: Entry): Value => userId },
  project: { title: "Project", kind: "text", value: ({ project }: Entry): Value => project },
  project_id: { title: "Project’s id", kind: "text", value: ({ projectId }: Entry): Value => projectId },
  client: { title: "Client", kind: "text", value: ({ client }: Entry): Value => client },
  description: { title: "Description", kind: "text", value: ({ description }: Entry): Value => description },
  tags: { title: "Tags", kind: "text", value: ({ tags }: Entry): Value => tags },
  billable: { title: "Billable", kind: "text", value: ({ billable }: Entry): Value => billable },
  duration_seconds: {
    title: "Seconds",
    kind: "count",
    value: ({ durationSeconds }: Entry): Value => durationSeconds,
  },
  hourly_rate: { title: "Rate", kind: "money", value: ({ hourlyRate }: Entry): Value => hourlyRate },
  amount: { title: "Amount", kind: "money", value: ({ amount }: Entry): Value => amount },
  currency: { title: "Currency", kind: "text", value: ({ currency }: Entry): Value => currency },
  converted: { title: "Converted", kind: "money", value: ({ converted }: Entry): Value => converted },
} as const;

export const columnNames = Object.keys(columns) as (keyof typeof columns)[];
export const Column = z.enum(columnNames as [keyof typeof columns, ...(keyof typeof columns)[]]);
export type Column = z.infer<typeof Column>;

/** Throws 422 `report_too_large` at this place when the report has more entries than so many. */
export async function demandFewer(
  reader: Reader,
  scope: Scope,
  most: number,
  place: ErrorSource,
): Promise<void> {
  const { rows } = await sql<{ found: string }>`SELECT count(*)::text AS found FROM (
    SELECT 1 FROM time_entries WHERE ${where(scope)} LIMIT ${sql.lit(most + 1)}) AS counted`.execute(reader);
  if (Number(rows[0]?.found) > most)
    throw invalidWithCode(
      place,
      "report_too_large",
      `More than ${most} entries. Take fewer days, or filter them.`,
    );
}

/**
 * The entries of a report in the order of their beginnings, a batch at a time. One with several tags comes once for each
 * when the levels have the tag in them.
 */
export async function* entries(
  reader: Reader,
  scope: Scope,
  levels: readonly Dimension[],
  rates: Rates | undefined,
  direction: "asc" | "desc" = "asc",
): AsyncGenerator<Entry[], void, undefined> {
  const read = levels.map((level) => keyFrom(level, scope.period));
  const later = direction === "asc" ? sql`>` : sql`<`;
  const order = sql.raw(direction);
  for (let last: { at: string; id: string } | undefined; ; ) {
    const own = [
      "id",
      "started_at",
      "ended_at",
      "user_id",
      "project_id",
      "description",
      "tags",
      "hourly_rate_minor",
    ].map((name) => sql`${sql.ref(`time_entries.${name}`)}`);
    const columns = [...keys(levels, scope), ...own];
    const { finished, running } = measured({ scope, levels, columns, rates, from: sql`cut AS time_entries` });
    // The batch is cut first, and only then is an entry multiplied by its tags or teams.
    const { rows } = await sql<Row>`
      WITH cut AS MATERIALIZED (SELECT * FROM time_entries WHERE ${where(scope)}
        ${last ? sql`AND (started_at, id) ${later} (${last.at}::timestamptz, ${last.id})` : sql``}
        ORDER BY started_at ${order}, id ${order} LIMIT ${sql.lit(batch)})
      SELECT entry.*, entry.started_at::text AS at, seconds::text AS seconds, amount::text AS amount,
        ${rates ? sql`(${converted})::text` : sql`NULL`} AS converted,
        users.name AS user_name, named.name AS project_name, NULLIF(named.client, '') AS client
      FROM (${finished} UNION ALL ${running}) AS entry
      LEFT JOIN users ON users.id = entry.user_id
      LEFT JOIN projects AS named ON named.id = entry.project_id
      ORDER BY entry.started_at ${order}, entry.id ${order}`.execute(reader);
    if (rows.length === 0) return;
    yield rows.map((row) =>
      entryOf(
        row,
        read.map((key, at) => key(row[`k${at}`])),
        scope,
      ),
    );
    const end = rows.at(-1) as Row;
    // As text, since a Date has no microseconds, and the last entry would come again.
    last = { at: end.at, id: end.id };
  }
}

type Row = Record<string, unknown> & {
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

function entryOf(row: Row, keys: Key[], { period, convertTo }: Scope): Entry {
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
    converted:
      convertTo === undefined || row.converted === null ? null : decimal(BigInt(row.converted), convertTo),
  };
}
