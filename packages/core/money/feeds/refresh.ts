import type { Insertable } from "kysely";
import * as z from "zod/mini";
import * as Clock from "../../base/clock.ts";
import { addDays, type Day, dayIn } from "../../base/day.ts";
import { Fault } from "../../base/fault.ts";
import * as Config from "../../platform/config/config.ts";
import { db } from "../../platform/db/engine.ts";
import type { RateFeeds } from "../../platform/db/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { log } from "../../platform/log/log.ts";
import { type Source, staleAfterDays } from "../rate-selection.ts";
import { type Download, download, type Limits } from "./download.ts";
import * as Ecb from "./ecb.ts";
import * as Nbp from "./nbp.ts";
import { type PublishedTable, sortByDay } from "./published-table.ts";
import type { CorrectedRate, QuarantinedRate } from "./quarantine.ts";
import { releaseFromQuarantine, type Stored, storeTables } from "./store.ts";

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
  /** Other values that the banks have published for days that were stored already. */
  corrected: ({ source: Source } & CorrectedRate)[];
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
  fetched_at: Date;
};

/** Days in one response of a bank: the ECB's longer document has 90, and the NBP allows about as many per query. */
export const historyDays = 90;

/** Both banks date their tables in this time zone. */
export const bankTimezone = "Europe/Warsaw";

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
    corrected: [],
    accepted: await releaseFromQuarantine(accept, now),
    stale: [],
  };
  const today = dayIn(bankTimezone, now);
  const states = await db().selectFrom("rate_feeds").selectAll().execute();
  for (const feed of feedsToFetch(states, today)) {
    const { outcome, quarantined, corrected } = await refreshFeed(feed, states, today, limits, now);
    refreshed.feeds.push(outcome);
    refreshed.quarantined.push(...quarantined.map((rate) => ({ source: feed.source, ...rate })));
    refreshed.corrected.push(...corrected.map((rate) => ({ source: feed.source, ...rate })));
    if (outcome.outcome === "refused") log.error("rates refused", outcome);
  }
  refreshed.stale = await staleSources(today);
  if (refreshed.quarantined.length > 0) log.error("rates quarantined", { rates: refreshed.quarantined });
  return refreshed;
}

/**
 * Returns the three feeds. The first run of a day fetches the last ninety days, which may contain corrections, and later ones only
 * what is new.
 */
function feedsToFetch(states: readonly FeedState[], today: Day): Feed[] {
  const { ecb, nbp } = Config.rateFeeds();
  const isFetched = (feed: string) =>
    states.some((state) => state.feed === feed && dayIn(bankTimezone, state.fetched_at) === today);
  const file = isFetched("eurofxref-hist-90d") ? "eurofxref-daily" : "eurofxref-hist-90d";
  const table = (letter: "A" | "B"): Feed => {
    const [source, name] = [`NBP-${letter}` as const, `nbp-${letter.toLowerCase()}`];
    const isShort = isFetched(`${name}-90d`);
    const from = (isShort && newestDay(states, source)) || addDays(today, -historyDays);
    const url = `${nbp}/${letter}/${from}/${today}/?format=json`;
    return { feed: isShort ? name : `${name}-90d`, source, url, read: (text) => Nbp.read(letter, text) };
  };
  return [{ feed: file, source: "ECB", url: `${ecb}/${file}.xml`, read: Ecb.read }, table("A"), table("B")];
}

function newestDay(states: readonly FeedState[], source: Source): Day | undefined {
  return states
    .filter((state) => state.source === source)
    .reduce<Day | undefined>((day, { last_day }) => (day && day > last_day ? day : last_day), undefined);
}

type FeedResult = Pick<Stored, "quarantined" | "corrected"> & { outcome: Outcome };

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
      return {
        outcome: { feed: feed.feed, outcome: "unchanged", rates: 0 },
        quarantined: [],
        corrected: [],
      };
    return await storeDocument(feed, downloaded, today, now);
  } catch (error) {
    if (!(error instanceof Fault && error.kind === "upstream")) throw error;
    return {
      outcome: { feed: feed.feed, outcome: "refused", rates: 0, reason: error.message },
      quarantined: [],
      corrected: [],
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
  const { accepted, corrected, quarantined } = await storeTables(source, tables, now);
  await saveFeedState({
    feed,
    source,
    address: url,
    etag,
    last_modified: lastModified,
    last_day: (tables.at(-1) as PublishedTable).day,
    fetched_at: now,
  });
  const outcome = accepted + corrected.length + quarantined.length > 0 ? "taken" : "unchanged";
  return { outcome: { feed, outcome, rates: accepted }, corrected, quarantined };
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
