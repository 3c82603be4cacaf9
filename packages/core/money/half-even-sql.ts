import { type RawBuilder, sql } from "kysely";

/**
 * `Rational.roundHalfEven` in SQL. `n` and `d` are expressions for whole numbers, with `n` at least 0 and `d` greater than 0.
 * Exact when both are `numeric`.
 */
export function roundHalfEvenSql(n: RawBuilder<unknown>, d: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(div(${n}, ${d}) + CASE
    WHEN 2 * mod(${n}, ${d}) > ${d} THEN 1
    WHEN 2 * mod(${n}, ${d}) = ${d} THEN mod(div(${n}, ${d}), 2)
    ELSE 0 END)`;
}
