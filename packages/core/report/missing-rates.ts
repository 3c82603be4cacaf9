import { sql } from "kysely";
import type { MissingRate } from "../money/missing-rates.ts";
import type { Reader } from "../platform/db/engine.ts";
import type { Dimension } from "./dimension.ts";
import { keyReader } from "./dimension-sql.ts";
import { entrySelects, isWithoutRate, keyColumns, type Rates } from "./entries.ts";
import { isComplete, type Sum } from "./groups.ts";
import type { ReportScope } from "./report-scope.ts";

const levels: readonly Dimension[] = ["day"];

/**
 * Returns which currencies of a report have entries without a rate, sorted by code. Undefined when the report is not converted.
 * Runs one statement, and none if the report's total is complete.
 */
export async function missingRatesOf(
  reader: Reader,
  scope: ReportScope,
  total: Sum,
  rates: Rates | undefined,
): Promise<MissingRate[] | undefined> {
  if (!rates || isComplete(total)) return rates && [];
  const period = scope.rateDays;
  const columns = keyColumns(levels, { ...scope, period });
  const { finished, running } = entrySelects({ scope, levels, columns, rates });
  const { rows } = await sql<{ currency: string; first: number; last: number; entries: string }>`
    SELECT currency, min(k0) AS first, max(k0) AS last, count(*)::text AS entries
    FROM (${finished} UNION ALL ${running}) AS entry WHERE ${isWithoutRate}
    GROUP BY currency ORDER BY currency`.execute(reader);
  const dayOf = keyReader("day", period);
  return rows.map(({ currency, first, last, entries }) => ({
    currency,
    from: dayOf(first) ?? period.from,
    to: dayOf(last) ?? period.to,
    entries: Number(entries),
  }));
}
