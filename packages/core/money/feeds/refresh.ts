import type { Insertable } from "kysely";
import * as z from "zod/mini";
import * as Clock from "../../base/clock.ts";
import { addDays, type Day, dayIn, daysBetween, isWeekday } from "../../base/day.ts";
import { Fault } from "../../base/fault.ts";
import * as Config from "../../platform/config/config.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import type { RateFeeds } from "../../platform/db/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { log } from "../../platform/log/log.ts";
import { maxAgeDays, type Source, staleAfterDays } from "../rate-selection.ts";
import { type Download, download, type Limits } from "./download.ts";
import * as Ecb from "./ecb.ts";
import * as Nbp from "./nbp.ts";
import { type PublishedTable, sortByDay } from "./published-table.ts";
import { classify, type NewRate, type QuarantinedRate } from "./quarantine.ts";

/** `accept`: currencies whose quarantined rates an operator has checked and found correct. */
export const Refresh = z.object({
  accept: z.optional(z.array(z.string().check(z.regex(/^[A-Z]{3}$/)))),
});
export type Refresh = z.infer<typeof Refresh>;

export type Outcome = {
  feed: string;
  /** `refused`: the document was rejected as a whole. The rates stored earlier remain in use. */
  outcome: "taken" | "unchanged" | "refused";
  /** Number of newly stored rates. */
  rates: number;
  reason?: string;
};

export type Refreshed = {
  feeds: Outcome[];
  /** Rates newly quarantined because they changed by 20% or more. */
  quarantined: ({ source: Source } & QuarantinedRate)[];
  /** Number of rates released from quarantine. */
  accepted: number;
  /** Sources whose newest table is stale, or which have never been fetched. */
  stale: Source[];
};

type Feed = { feed: string; source: Source; url: string; read: (text: string) => PublishedTable[] };

type FeedState = {
  feed: string;
  source: string;
  address: string;
  etag: string | null;
  last_modified: string | null;
  last_day: string;
};

/** Days in one response of a bank: the ECB's longer document has 90, and the NBP allows about as many per query. */
const historyDays = 90;

/** Both banks date their tables in this time zone. */
const bankTimezone = "Europe/Warsaw";

/** Rates per transaction. Aurora DSQL allows 3,000 written rows. */
const maxRatesPerTransaction = 1500;

/**
 * Fetches and stores what each bank has published since the last refresh. A failing feed is reported and logged; the other
 * feeds continue, and its earlier rates stay. Idempotent, also when several refreshes run at once.
 */
export async function refresh(
  { accept = [] }: Refresh,
  limits: Limits = {},
  now: Date = Clock.now(),
): Promise<Refreshed> {
  const refreshed: Refreshed = {
    feeds: [],
    quarantined: [],
    accepted: await releaseFromQuarantine(accept),
    stale: [],
  };
  const today = dayIn(bankTimezone, now);
  const states = await db().selectFrom("rate_feeds").selectAll().execute();
  for (const feed of feedsToFetch(states, today)) {
    const { outcome, quarantined } = await refreshFeed(feed, states, today, limits, now);
    refreshed.feeds.push(outcome);
    refreshed.quarantined.push(...quarantined.map((rate) => ({ source: feed.source, ...rate })));
    if (outcome.outcome === "refused") log.error("rates refused", outcome);
  }
  refreshed.stale = await staleSources(today);
  if (refreshed.quarantined.length > 0) log.error("rates quarantined", { rates: refreshed.quarantined });
  return refreshed;
}

/** Returns the three feeds: the ECB's short or long document, and both NBP tables since the last stored day. */
function feedsToFetch(states: readonly FeedState[], today: Day): Feed[] {
  const { ecb, nbp } = Config.rateFeeds();
  const lastEcbDay = newestDay(states, "ECB");
  const file = lastEcbDay && !missesWeekday(lastEcbDay, today) ? "eurofxref-daily" : "eurofxref-hist-90d";
  const table = (letter: "A" | "B"): Feed => ({
    feed: `nbp-${letter.toLowerCase()}`,
    source: `NBP-${letter}`,
    url: `${nbp}/${letter}/${firstDayToRequest(states, `NBP-${letter}`, today)}/${today}/?format=json`,
    read: (text) => Nbp.read(letter, text),
  });
  return [{ feed: file, source: "ECB", url: `${ecb}/${file}.xml`, read: Ecb.read }, table("A"), table("B")];
}

function newestDay(states: readonly FeedState[], source: Source): Day | undefined {
  return states
    .filter((state) => state.source === source)
    .reduce<Day | undefined>((day, { last_day }) => (day && day > last_day ? day : last_day), undefined);
}

/** Returns the last stored day of a source, limited to the range that one request can cover. */
function firstDayToRequest(states: readonly FeedState[], source: Source, today: Day): Day {
  const [day, start] = [newestDay(states, source), addDays(today, -historyDays)];
  return day && day > start ? (day < today ? day : today) : start;
}

/** Returns whether a weekday lies strictly between two days. */
function missesWeekday(after: Day, before: Day): boolean {
  const between = Math.min(Math.max(daysBetween(after, before) - 1, 0), 7);
  return Array.from({ length: between }, (_, at) => addDays(after, at + 1)).some(isWeekday);
}

type FeedResult = { outcome: Outcome; quarantined: QuarantinedRate[] };

async function refreshFeed(
  feed: Feed,
  states: readonly FeedState[],
  today: Day,
  limits: Limits,
  now: Date,
): Promise<FeedResult> {
  try {
    const downloaded = await downloadFeed(feed, states, limits);
    if (downloaded.kind !== "new")
      return { outcome: { feed: feed.feed, outcome: "unchanged", rates: 0 }, quarantined: [] };
    return await storeDocument(feed, downloaded, today, now);
  } catch (error) {
    if (!(error instanceof Fault && error.kind === "upstream")) throw error;
    return {
      outcome: { feed: feed.feed, outcome: "refused", rates: 0, reason: error.message },
      quarantined: [],
    };
  }
}

async function downloadFeed(
  { feed, source, url }: Feed,
  states: readonly FeedState[],
  limits: Limits,
): Promise<Download> {
  const state = states.find((one) => one.feed === feed && one.address === url);
  const known = { etag: state?.etag ?? null, lastModified: state?.last_modified ?? null };
  const downloaded = await download(url, known, limits);
  // The NBP returns 404 when it has published nothing in the range. The ECB's documents always exist.
  if (downloaded.kind === "absent" && source === "ECB")
    throw new Fault("upstream", "feed_unreachable", "The bank’s server returned status 404.");
  return downloaded;
}

async function storeDocument(
  { feed, source, url, read }: Feed,
  { text, etag, lastModified }: Extract<Download, { kind: "new" }>,
  today: Day,
  now: Date,
): Promise<FeedResult> {
  const tables = sortByDay(read(text), today);
  const { accepted, quarantined } = await storeTables(source, tables, now);
  await saveFeedState({
    feed,
    source,
    address: url,
    etag,
    last_modified: lastModified,
    last_day: (tables.at(-1) as PublishedTable).day,
    fetched_at: now,
  });
  const outcome = accepted + quarantined.length > 0 ? "taken" : "unchanged";
  return { outcome: { feed, outcome, rates: accepted }, quarantined };
}

type Stored = { accepted: number; quarantined: QuarantinedRate[] };

/** Stores the new rates in transactions of whole days, so that an interrupted run continues where it stopped. */
async function storeTables(source: Source, tables: readonly PublishedTable[], now: Date): Promise<Stored> {
  const stored: Stored = { accepted: 0, quarantined: [] };
  for (const batch of batchesOf(tables)) {
    const { accepted, quarantined } = await transaction((tx) => storeBatch(tx, source, batch, now));
    stored.accepted += accepted;
    stored.quarantined.push(...quarantined);
  }
  return stored;
}

async function storeBatch(
  tx: Tx,
  source: Source,
  batch: readonly PublishedTable[],
  now: Date,
): Promise<Stored> {
  const known = await tx
    .selectFrom("rates")
    .select(["code", "day", "rate"])
    .where("source", "=", source)
    .where("day", ">=", addDays((batch[0] as PublishedTable).day, -maxAgeDays))
    .where("day", "<=", (batch.at(-1) as PublishedTable).day)
    .execute();
  const { accepted, quarantined } = classify(batch, known);
  return {
    accepted: await insertRates(tx, source, accepted, now),
    quarantined: await insertQuarantined(tx, source, quarantined, now),
  };
}

/** Inserts rates that do not exist yet. Returns how many were inserted. */
async function insertRates(tx: Tx, source: Source, rates: readonly NewRate[], now: Date): Promise<number> {
  if (rates.length === 0) return 0;
  const inserted = await tx
    .insertInto("rates")
    .values(rates.map((rate) => ({ ...rate, source, fetched_at: now })))
    .onConflict((conflict) => conflict.columns(["source", "code", "day"]).doNothing())
    .returning("code")
    .execute();
  return inserted.length;
}

/** Inserts quarantined rates that do not exist yet. Returns those that were inserted. */
async function insertQuarantined(
  tx: Tx,
  source: Source,
  rates: readonly QuarantinedRate[],
  now: Date,
): Promise<QuarantinedRate[]> {
  if (rates.length === 0) return [];
  const inserted = await tx
    .insertInto("quarantined_rates")
    .values(
      rates.map(({ previousDay, previousRate, ...rate }) => ({
        ...rate,
        source,
        fetched_at: now,
        previous_day: previousDay,
        previous_rate: previousRate,
      })),
    )
    .onConflict((conflict) => conflict.columns(["source", "code", "day"]).doNothing())
    .returning(["code", "day"])
    .execute();
  const isNew = new Set(inserted.map(({ code, day }) => `${code} ${day}`));
  return rates.filter(({ code, day }) => isNew.has(`${code} ${day}`));
}

function batchesOf(tables: readonly PublishedTable[]): PublishedTable[][] {
  const batches: PublishedTable[][] = [];
  let rates = Number.POSITIVE_INFINITY;
  for (const table of tables) {
    rates += table.rates.size;
    if (rates > maxRatesPerTransaction) {
      batches.push([]);
      rates = table.rates.size;
    }
    batches.at(-1)?.push(table);
  }
  return batches;
}

async function saveFeedState(state: Insertable<RateFeeds>): Promise<void> {
  await transaction((tx) =>
    tx
      .insertInto("rate_feeds")
      .values(state)
      .onConflict((conflict) => conflict.column("feed").doUpdateSet(state))
      .execute(),
  );
}

async function staleSources(today: Day): Promise<Source[]> {
  const rows = await db().selectFrom("rate_feeds").select(["source", "last_day"]).execute();
  return (Object.entries(staleAfterDays) as [Source, number][])
    .filter(([source, days]) => {
      const oldest = addDays(today, -days);
      return !rows.some((row) => row.source === source && row.last_day >= oldest);
    })
    .map(([source]) => source);
}

/** Moves the quarantined rates of these currencies into use. Returns how many there were. */
async function releaseFromQuarantine(codes: readonly string[]): Promise<number> {
  if (codes.length === 0) return 0;
  return transaction(async (tx) => {
    const rows = await tx
      .deleteFrom("quarantined_rates")
      .where("code", "in", codes)
      .returning(["source", "code", "day", "rate", "document", "fetched_at"])
      .execute();
    if (rows.length > 0)
      await tx
        .insertInto("rates")
        .values(rows)
        .onConflict((conflict) => conflict.columns(["source", "code", "day"]).doNothing())
        .execute();
    return rows.length;
  });
}
