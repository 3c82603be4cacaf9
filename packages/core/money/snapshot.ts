import { type RateTable, type RateTables, rateTable, type Source } from "./rate-selection.ts";
import json from "./snapshot.json" with { type: "json" };

const tables: Record<Source, RateTable[]> = { ECB: [], "NBP-A": [], "NBP-B": [] };
for (const { source, day, table, rates } of json.documents)
  tables[source as Source].push(rateTable(source as Source, day, table, Object.entries(rates)));

/** Real published tables that ship with every installation, so that it has rates before it first reaches a bank. */
export const snapshot: RateTables = tables;
