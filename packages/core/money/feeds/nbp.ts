import * as z from "zod/mini";
import { feedRefused, type PublishedTable, parseTable } from "./published-table.ts";

const Tables = z.array(
  z.object({
    table: z.string(),
    no: z.string(),
    effectiveDate: z.string(),
    rates: z.array(z.object({ code: z.string(), mid: z.string() })),
  }),
);

/**
 * Reads table A or B of the National Bank of Poland, as api.nbp.pl returns it in JSON: zlotys for one unit of each currency.
 * Throws `upstream` `feed_refused` for anything else, including the other table.
 */
export function read(table: "A" | "B", json: string): PublishedTable[] {
  const parsed = Tables.safeParse(withNumbersAsText(json));
  if (!parsed.success || parsed.data.some((one) => one.table !== table))
    throw feedRefused(`The document is not the bank’s table ${table}.`);
  return parsed.data.map(({ effectiveDate, no, rates }) =>
    parseTable(
      `NBP-${table}`,
      effectiveDate,
      no,
      rates.map(({ code, mid }) => [code, mid]),
    ),
  );
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

/** Parses JSON but keeps each number as its source text, because a float could differ from the published rate. */
function withNumbersAsText(json: string): unknown {
  const asWritten: Reviver = (_key, value, { source }) => (typeof value === "number" ? source : value);
  try {
    return JSON.parse(json, asWritten as (key: string, value: unknown) => unknown);
  } catch (cause) {
    throw feedRefused("The document is not JSON.", cause);
  }
}
