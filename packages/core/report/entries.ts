import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import { converter } from "../money/convert.ts";
import { minorUnits } from "../money/currency.ts";
import { roundHalfEvenSql } from "../money/half-even-sql.ts";
import type { Reader } from "../platform/db/engine.ts";
import type { Schema } from "../platform/db/schema.ts";
import { costSql } from "../tracking/amounts/amount.ts";
import type { Dimension } from "./dimension.ts";
import { joinSql, keySql } from "./dimension-sql.ts";
import type { ReportScope } from "./report-scope.ts";
import { roundSql } from "./rounding.ts";

/** Returns the WHERE condition of a report's entries. */
export function where({ condition }: ReportScope): Expression<SqlBool> {
  return condition(expressionBuilder<Schema, "time_entries">());
}

/** Exchange rates as a JSON parameter of SQL; see `ratesOf`. */
export type Rates = { to: string; json: string };

/** The columns to select for each entry. */
export type EntryQuery = {
  scope: ReportScope;
  /** Dimensions whose keys the columns contain. */
  levels: readonly Dimension[];
  /** Named expressions, such as those of `keyColumns`. */
  columns: readonly RawBuilder<unknown>[];
  rates: Rates | undefined;
  /** A subset to read instead of the whole table, named `time_entries`. */
  from?: RawBuilder<unknown>;
};

/** Returns the columns `k0`, `k1`, … with the group keys of an entry. */
export function keyColumns(levels: readonly Dimension[], { period }: ReportScope): RawBuilder<unknown>[] {
  return levels.map((level, at) => sql`${keySql(level, period)} AS ${sql.ref(`k${at}`)}`);
}

/**
 * Returns two SELECTs, one of the finished entries and one of the running timers. Both add to `columns`: `currency`,
 * `billable`, `seconds`, `amount` in minor units, and with `rates` the exchange rate as the fraction `n`/`d` (null without a
 * rate). The values equal those of the list of time entries: stored ones for finished entries, and the time until now at the
 * timer's rate for running ones. They are separate so that the first can use an index-only scan.
 */
export function entrySelects({ scope, levels, columns, rates, from = sql`time_entries` }: EntryQuery): {
  finished: RawBuilder<unknown>;
  running: RawBuilder<unknown>;
} {
  const select = (seconds: RawBuilder<unknown>, amount: RawBuilder<unknown>, which: RawBuilder<unknown>) =>
    sql`SELECT ${sql.join([
      ...columns,
      sql`time_entries.currency`,
      sql`time_entries.billable`,
      sql`${seconds} AS seconds`,
      sql`${amount} AS amount`,
      ...(rates ? [sql`rate.n AS n`, sql`rate.d AS d`] : []),
    ])}
    FROM ${from} ${joinSql(levels, scope.workspaceId)} ${rates ? rateJoin(scope, rates) : sql``}
    WHERE ${where(scope)} AND ${which}`;
  const isFinished = sql`time_entries.duration_seconds IS NOT NULL`;
  const isRunning = sql`time_entries.ended_at IS NULL`;
  const { rounding } = scope;
  const elapsed = elapsedSql(scope.now);
  if (!rounding)
    return {
      finished: select(sql`time_entries.duration_seconds`, sql`time_entries.amount_minor`, isFinished),
      running: select(elapsed, priceSql(elapsed), isRunning),
    };
  const stored = roundSql(sql`time_entries.duration_seconds`, rounding);
  const untilNow = roundSql(elapsed, rounding);
  return {
    finished: select(stored, priceSql(stored), isFinished),
    running: select(untilNow, priceSql(untilNow), isRunning),
  };
}

/** `elapsedSeconds` of a running timer in SQL. */
function elapsedSql(now: Date): RawBuilder<unknown> {
  return sql`GREATEST(floor(extract(epoch FROM ${now}::timestamptz - time_entries.started_at)), 0)::int4`;
}

function priceSql(seconds: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`CASE
    WHEN time_entries.billable AND time_entries.hourly_rate_minor IS NOT NULL
    THEN ${costSql(seconds, sql`time_entries.hourly_rate_minor`)} ELSE 0 END`;
}

/** The converted amount of a row of `entrySelects`, rounded once per entry. Zero converts to zero without a rate. */
export const convertedAmount: RawBuilder<unknown> = sql`CASE WHEN amount = 0 THEN 0 ELSE ${roundHalfEvenSql(sql`amount * n`, sql`d`)} END`;

/** Whether a row of `entrySelects` has an amount that cannot be converted. */
export const isWithoutRate: RawBuilder<unknown> = sql`amount <> 0 AND n IS NULL`;

function rateJoin({ rateDays }: ReportScope, { json }: Rates): RawBuilder<unknown> {
  const starts = rateDays.days.map(({ start }) => start);
  return sql`LEFT JOIN (
      SELECT currency, day, n::numeric AS n, d::numeric AS d
      FROM jsonb_to_recordset(${json}::jsonb) AS given(currency text, day integer, n text, d text)
    ) AS rate ON rate.currency = time_entries.currency
      AND rate.day = width_bucket(time_entries.started_at, ${starts}::timestamptz[])`;
}

/**
 * Returns the rate of each currency and day of a report's entries, as exact fractions from minor units to minor units.
 * Currencies and days without a rate are omitted. Undefined when the report is not converted.
 */
export async function ratesOf(reader: Reader, scope: ReportScope): Promise<Rates | undefined> {
  const { workspaceId, convertTo: to, rateDays } = scope;
  if (to === undefined) return undefined;
  const starts = rateDays.days.map(({ start }) => start);
  const { rows } = await sql<{ currency: string; day: number }>`
    SELECT DISTINCT currency, width_bucket(started_at, ${starts}::timestamptz[]) AS day FROM time_entries
    WHERE ${where(scope)}`.execute(reader);
  const currencies = [...new Set(rows.map(({ currency }) => currency))];
  const { from, to: until } = rateDays;
  const { rate } = await converter({ workspaceId, to, currencies, from, until }, reader);
  const fractions = rows.flatMap(({ currency, day }) => {
    const found = rate(currency, rateDays.days[day - 1]?.day ?? until);
    if (!found) return [];
    const n = found.exact.n * 10n ** BigInt(minorUnits(to));
    const d = found.exact.d * 10n ** BigInt(minorUnits(currency));
    const divisor = greatestCommonDivisor(n, d);
    return [{ currency, day, n: String(n / divisor), d: String(d / divisor) }];
  });
  return { to, json: JSON.stringify(fractions) };
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}
