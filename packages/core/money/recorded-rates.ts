import { sql } from "kysely";
import type { Day } from "../base/day.ts";
import type { Reader } from "../platform/db/engine.ts";
import type { Source } from "./rate-selection.ts";

/**
 * A published rate, or a bank's later correction of it. The first publication is revision 0, and each correction has the next
 * number. `fetched_at` is when the revision was recorded.
 */
export type RecordedRate = {
  source: Source;
  day: Day;
  document: string;
  code: string;
  rate: string;
  revision: number;
  fetched_at: Date;
};

/** The days to read, by source. All currencies are read without `codes`. */
export type RecordedQuery = {
  since: Partial<Record<Source, Day>>;
  until: Day;
  codes?: readonly string[] | undefined;
};

/** Reads rates and corrections in one statement, sorted by source, day and revision. */
export async function recordedRates(
  reader: Reader,
  { since, until, codes }: RecordedQuery,
): Promise<RecordedRate[]> {
  let query = reader
    .selectFrom(
      reader
        .selectFrom("rates")
        .select(["source", "day", "document", "code", "rate", "fetched_at"])
        .select(sql<number>`0`.as("revision"))
        .unionAll(
          reader
            .selectFrom("rate_corrections")
            .select(["source", "day", "document", "code", "rate", "fetched_at", "revision"]),
        )
        .as("recorded"),
    )
    .selectAll()
    .where((is) =>
      is.or(
        Object.entries(since).map(([source, day]) =>
          is.and([is("source", "=", source), is("day", ">=", day)]),
        ),
      ),
    )
    .where("day", "<=", until)
    .orderBy("source")
    .orderBy("day")
    .orderBy("revision");
  if (codes) query = query.where("code", "in", codes);
  return (await query.execute()) as RecordedRate[];
}

/**
 * Returns one rate for each source, day and currency: the last revision that was recorded until `recordedUntil`, or at all. Days
 * that have to keep their conversions, whatever the bank corrects later, give an instant.
 */
export function lastRevisions(recorded: readonly RecordedRate[], recordedUntil?: Date): RecordedRate[] {
  const last = new Map<string, RecordedRate>();
  for (const rate of recorded)
    if (!recordedUntil || rate.fetched_at <= recordedUntil)
      last.set(`${rate.source} ${rate.day} ${rate.code}`, rate);
  return [...last.values()];
}
