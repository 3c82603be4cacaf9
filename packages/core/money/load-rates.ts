import type { Day } from "../base/day.ts";
import type { Reader } from "../platform/db/engine.ts";
import * as Override from "./override.ts";
import { locksOf } from "./period-lock.ts";
import {
  type AvailableRates,
  oldestUsableDay,
  type RateTable,
  rateTable,
  type Source,
  sources,
} from "./rate-selection.ts";
import { lastRevisions, type RecordedRate, recordedRates } from "./recorded-rates.ts";
import { snapshot } from "./snapshot.ts";

/** The days and currencies to load rates for. Without `currencies`, all are loaded. */
export type RateQuery = { workspaceId: string; currencies?: readonly string[]; from: Day; until: Day };

/**
 * Loads everything that selecting rates for these days needs, in four statements. With `lastGood`, a source that has
 * stopped publishing also contributes its last tables, for display.
 */
export async function loadRates(
  reader: Reader,
  { workspaceId, currencies, from, until }: RateQuery,
  lastGood = false,
): Promise<AvailableRates> {
  const feeds = await reader.selectFrom("rate_feeds").select(["source", "last_day"]).execute();
  // Rates for display are today's, which is never locked.
  const locks = lastGood ? [] : (await locksOf(reader, workspaceId)).filter((lock) => from <= lock.until);
  const overrides = await Override.load(reader, workspaceId, currencies);
  const since = (source: Source): Day => {
    const days = feeds.filter((feed) => feed.source === source).map((feed) => feed.last_day);
    const newest = days.reduce((a, b) => (a > b ? a : b), "");
    return oldestUsableDay(lastGood && newest !== "" && newest < from ? newest : from);
  };
  // Every cross rate goes through the euro or the zloty.
  const codes = currencies && [
    ...new Set([...currencies, ...overrides.map(({ base }) => base), "EUR", "PLN"]),
  ];
  const recorded = await recordedRates(reader, {
    since: Object.fromEntries(sources.map((source) => [source, since(source)])),
    until,
    codes,
  });
  const published = tablesFrom(lastRevisions(recorded));
  const locked = locks.map(({ until, at }) => ({
    until,
    published: tablesFrom(lastRevisions(recorded, at).filter(({ day }) => day <= until)),
  }));
  return {
    published,
    locked,
    fetched: new Set(feeds.map(({ source }) => source as Source)),
    snapshot,
    overrides,
  };
}

/** Groups rows that are sorted by source and day into tables. */
function tablesFrom(rows: readonly RecordedRate[]): Record<Source, RateTable[]> {
  const tables: Record<Source, RateTable[]> = { ECB: [], "NBP-A": [], "NBP-B": [] };
  let at = 0;
  while (at < rows.length) {
    const { source, day, document } = rows[at] as RecordedRate;
    const rates: [string, string][] = [];
    for (; rows[at]?.source === source && rows[at]?.day === day; at++) {
      const { code, rate } = rows[at] as RecordedRate;
      rates.push([code, rate]);
    }
    tables[source].push(rateTable(source, day, document, rates));
  }
  return tables;
}
