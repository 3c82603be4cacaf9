import type { Day } from "../base/day.ts";
import type { Reader } from "../platform/db/engine.ts";
import { type Books, type Document, document, earliest, type Source, sources } from "./choice.ts";
import * as Override from "./override.ts";
import { snapshot } from "./snapshot.ts";

/** Which rates are wanted: of these currencies (absent: of all), for these days. */
export type Wanted = { workspaceId: string; currencies?: readonly string[]; from: Day; until: Day };

/**
 * All that choosing rates for these days takes, in three statements. With `lastGood`, also the last ones of a table that
 * has published nothing for a while, for who asks what was last known.
 */
export async function open(
  reader: Reader,
  { workspaceId, currencies, from, until }: Wanted,
  lastGood = false,
): Promise<Books> {
  const feeds = await reader.selectFrom("rate_feeds").select(["source", "last_day"]).execute();
  const overrides = await Override.all(reader, workspaceId, currencies);
  const since = (source: Source): Day => {
    const days = feeds.filter((feed) => feed.source === source).map((feed) => feed.last_day);
    const newest = days.reduce((a, b) => (a > b ? a : b), "");
    return earliest(lastGood && newest !== "" && newest < from ? newest : from);
  };
  // Euro and zloty are the other leg of every cross rate.
  const codes = currencies && [
    ...new Set([...currencies, ...overrides.map(({ base }) => base), "EUR", "PLN"]),
  ];
  let query = reader
    .selectFrom("rates")
    .select(["source", "day", "document", "code", "rate"])
    .where((is) =>
      is.or(sources.map((source) => is.and([is("source", "=", source), is("day", ">=", since(source))]))),
    )
    .where("day", "<=", until)
    .orderBy("source")
    .orderBy("day");
  if (codes) query = query.where("code", "in", codes);
  const published = library(await query.execute());
  return { published, fetched: new Set(feeds.map(({ source }) => source as Source)), snapshot, overrides };
}

type Row = { source: string; day: Day; document: string; code: string; rate: string };

/** Documents from rows in their order. */
function library(rows: readonly Row[]): Record<Source, Document[]> {
  const documents: Record<Source, Document[]> = { ECB: [], "NBP-A": [], "NBP-B": [] };
  let at = 0;
  while (at < rows.length) {
    const { source, day, document: name } = rows[at] as Row;
    const rates: [string, string][] = [];
    for (; rows[at]?.source === source && rows[at]?.day === day; at++) {
      const { code, rate } = rows[at] as Row;
      rates.push([code, rate]);
    }
    documents[source as Source].push(document(source as Source, day, name, rates));
  }
  return documents;
}
