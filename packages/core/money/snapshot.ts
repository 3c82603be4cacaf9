import { document, type Library, type Source } from "./choice.ts";
import json from "./snapshot.json" with { type: "json" };

const library: Record<Source, ReturnType<typeof document>[]> = { ECB: [], "NBP-A": [], "NBP-B": [] };
for (const { source, day, table, rates } of json.documents)
  library[source as Source].push(document(source as Source, day, table, Object.entries(rates)));

/** Real published documents that every installation comes with, so that it has rates before it ever reached a bank. */
export const snapshot: Library = library;
