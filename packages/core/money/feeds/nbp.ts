import * as z from "zod/mini";
import { type Bulletin, bulletin, refused } from "./bulletin.ts";

const Tables = z.array(
  z.object({
    table: z.string(),
    no: z.string(),
    effectiveDate: z.string(),
    rates: z.array(z.object({ code: z.string(), mid: z.string() })),
  }),
);

/**
 * Tables A and B of the National Bank of Poland as api.nbp.pl gives them in JSON: zlotys for one unit of each currency.
 * Throws 502 `feed_refused` for anything else, another table too.
 */
export function read(table: "A" | "B", json: string): Bulletin[] {
  const parsed = Tables.safeParse(exact(json));
  if (!parsed.success || parsed.data.some((one) => one.table !== table))
    throw refused(`The document is not the bank’s table ${table}.`);
  return parsed.data.map(({ effectiveDate, no, rates }) =>
    bulletin(
      `NBP-${table}`,
      effectiveDate,
      no,
      rates.map(({ code, mid }) => [code, mid]),
    ),
  );
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

/** Numbers stay the text they are in the document: as floats they would not be what the bank wrote. */
function exact(json: string): unknown {
  const asWritten: Reviver = (_key, value, { source }) => (typeof value === "number" ? source : value);
  try {
    return JSON.parse(json, asWritten as (key: string, value: unknown) => unknown);
  } catch (cause) {
    throw refused("The document is not JSON.", cause);
  }
}
