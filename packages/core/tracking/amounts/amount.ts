import { type RawBuilder, sql } from "kysely";
import { roundHalfEvenSql } from "../../money/half-even-sql.ts";
import * as Rational from "../../money/rational.ts";

const secondsPerHour = 3600;

/**
 * Returns the amount of an entry: seconds times the hourly rate, in minor units, rounded once with `Rational.roundHalfEven`.
 * `costSql` is the same rule in SQL, and both are tested with one table of cases.
 */
export function cost(seconds: number, hourlyRate: bigint): bigint {
  return Rational.roundHalfEven({ n: BigInt(seconds) * hourlyRate, d: BigInt(secondsPerHour) });
}

/** `cost` in SQL, as int8. `seconds` and `hourlyRate` are expressions for non-negative whole numbers. */
export function costSql(seconds: RawBuilder<unknown>, hourlyRate: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${roundHalfEvenSql(sql`(${seconds})::numeric * ${hourlyRate}`, sql.lit(secondsPerHour))}::int8`;
}
