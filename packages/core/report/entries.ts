import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import { converter } from "../money/convert.ts";
import { minorUnits } from "../money/currency.ts";
import { roundHalfEvenSql } from "../money/half-even-sql.ts";
import type { Reader } from "../platform/db/engine.ts";
import type { Schema } from "../platform/db/schema.ts";
import { costSql } from "../tracking/amounts/amount.ts";
import type { Condition } from "../tracking/time-entries/filters.ts";
import { type Dimension, joined, keyOf } from "./dimension.ts";
import type { Period } from "./period.ts";
import { type Rounding, rounded } from "./rounding.ts";

/** The entries of a report and how they count. */
export type Scope = {
  workspaceId: string;
  condition: Condition;
  period: Period;
  /** A running timer counts until then. */
  now: Date;
  rounding?: Rounding | undefined;
  convertTo?: string | undefined;
};

/** The WHERE of a report's entries. */
export function where({ condition }: Scope): Expression<SqlBool> {
  return condition(expressionBuilder<Schema, "time_entries">());
}

/** Rates in the form that SQL multiplies with; see `ratesOf`. */
export type Rates = { to: string; json: string };

/** What is selected of the entries; each `key` is an expression over them. */
export type Selection = {
  scope: Scope;
  /** Dimensions whose joins the keys need. */
  levels: readonly Dimension[];
  /** `k0`, `k1`, … and whatever else is wanted of each, each with its name. */
  columns: readonly RawBuilder<unknown>[];
  rates: Rates | undefined;
  from?: RawBuilder<unknown>;
};

/** The columns `k0`, `k1`, … that these dimensions group by. */
export function keys(levels: readonly Dimension[], { period }: Scope): RawBuilder<unknown>[] {
  return levels.map((level, at) => sql`${keyOf(level, period)} AS ${sql.ref(`k${at}`)}`);
}

/**
 * Two SELECTs of the entries with these columns and what they count: `currency`, `billable`, `seconds`, `amount` in minor
 * units, and the exact rate `n`/`d`, null where there is none. Exactly what the list of entries says of each: stored
 * durations and amounts, and for a running timer its seconds until now at its rate, rounded half-even. Finished entries and
 * timers are apart, so that the first are answered from the index alone.
 */
export function measured({ scope, levels, columns, rates, from = sql`time_entries` }: Selection): {
  finished: RawBuilder<unknown>;
  running: RawBuilder<unknown>;
} {
  const half = (seconds: RawBuilder<unknown>, amount: RawBuilder<unknown>, which: RawBuilder<unknown>) =>
    sql`SELECT ${sql.join([
      ...columns,
      sql`time_entries.currency`,
      sql`time_entries.billable`,
      sql`${seconds} AS seconds`,
      sql`${amount} AS amount`,
      ...(rates ? [sql`rate.n AS n`, sql`rate.d AS d`] : []),
    ])}
    FROM ${from} ${joined(levels, scope.workspaceId)} ${rates ? rateJoin(scope, rates) : sql``}
    WHERE ${where(scope)} AND ${which}`;
  const elapsed = sql`GREATEST(floor(extract(epoch FROM ${scope.now}::timestamptz - time_entries.started_at)), 0)::int4`;
  const price = (seconds: RawBuilder<unknown>) => sql`CASE
    WHEN time_entries.billable AND time_entries.hourly_rate_minor IS NOT NULL
    THEN ${costSql(seconds, sql`time_entries.hourly_rate_minor`)} ELSE 0 END`;
  const finished = sql`time_entries.duration_seconds IS NOT NULL`;
  const running = sql`time_entries.ended_at IS NULL`;
  const { rounding } = scope;
  if (!rounding)
    return {
      finished: half(sql`time_entries.duration_seconds`, sql`time_entries.amount_minor`, finished),
      running: half(elapsed, price(elapsed), running),
    };
  const whole = rounded(sql`time_entries.duration_seconds`, rounding);
  const until = rounded(elapsed, rounding);
  return { finished: half(whole, price(whole), finished), running: half(until, price(until), running) };
}

/** An amount in the currency asked for, over what `measured` selects: rounded once per entry. Nothing is nothing anywhere. */
export const converted: RawBuilder<unknown> = sql`CASE WHEN amount = 0 THEN 0 ELSE ${roundHalfEvenSql(sql`amount * n`, sql`d`)} END`;

function rateJoin({ period }: Scope, { json }: Rates): RawBuilder<unknown> {
  const starts = period.days.map(({ start }) => start);
  return sql`LEFT JOIN (
      SELECT currency, day, n::numeric AS n, d::numeric AS d
      FROM jsonb_to_recordset(${json}::jsonb) AS given(currency text, day integer, n text, d text)
    ) AS rate ON rate.currency = time_entries.currency
      AND rate.day = width_bucket(time_entries.started_at, ${starts}::timestamptz[])`;
}

/**
 * The rate of each currency and day that these entries have, as exact fractions from minor units to minor units. What has
 * no rate is left out.
 */
export async function ratesOf(reader: Reader, scope: Scope): Promise<Rates | undefined> {
  const { workspaceId, convertTo: to, period } = scope;
  if (to === undefined) return undefined;
  const starts = period.days.map(({ start }) => start);
  const { rows } = await sql<{ currency: string; day: number }>`
    SELECT DISTINCT currency, width_bucket(started_at, ${starts}::timestamptz[]) AS day FROM time_entries
    WHERE ${where(scope)}`.execute(reader);
  const currencies = [...new Set(rows.map(({ currency }) => currency))];
  const { from, to: until } = period;
  const { rate } = await converter({ workspaceId, to, currencies, from, until }, reader);
  const known = rows.flatMap(({ currency, day }) => {
    const found = rate(currency, period.days[day - 1]?.day ?? until);
    if (!found) return [];
    const n = found.exact.n * 10n ** BigInt(minorUnits(to));
    const d = found.exact.d * 10n ** BigInt(minorUnits(currency));
    const common = divisor(n, d);
    return [{ currency, day, n: String(n / common), d: String(d / common) }];
  });
  return { to, json: JSON.stringify(known) };
}

function divisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : divisor(b, a % b);
}
