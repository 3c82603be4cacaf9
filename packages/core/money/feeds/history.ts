import * as Clock from "../../base/clock.ts";
import { addDays, type Day, dayIn } from "../../base/day.ts";
import { Fault } from "../../base/fault.ts";
import * as Config from "../../platform/config/config.ts";
import { db } from "../../platform/db/engine.ts";
import * as JobCursor from "../../platform/db/job-cursor.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { log } from "../../platform/log/log.ts";
import { oldestUsableDay, type Source, sources } from "../rate-selection.ts";
import { download, type Limits } from "./download.ts";
import * as Ecb from "./ecb.ts";
import * as Nbp from "./nbp.ts";
import { type PublishedTable, sortByDay } from "./published-table.ts";
import { bankTimezone, historyDays } from "./refresh.ts";
import { type Stored, storeTables } from "./store.ts";

const job = "refresh-rates";

/** Twice the size of the ECB's full history in 2026. */
export const maxHistoryBytes = 20_000_000;

/** Years that a run fetches from each source. A year has about 8,000 rates. */
export const yearsPerRun = 3;

/** Workspaces that one statement reads. */
const pageSize = 500;

/** The first day that each source offers. */
const firstDays: Readonly<Record<Source, Day>> = {
  ECB: "1999-01-04",
  "NBP-A": "2002-01-02",
  "NBP-B": "2002-01-02",
};

/** The outcome of one source in a run. Its history was fetched completely from `from` on. */
export type Outcome = {
  source: Source;
  from: Day | null;
  outcome: "complete" | "continues" | "refused";
  rates: number;
  reason?: string;
};

export type History = { needed: Day | null; sources: Outcome[] } & Pick<Stored, "corrected" | "quarantined">;

/**
 * Fetches published rates year by year, from today back to the oldest time entry with an amount in an ENTERPRISE workspace. Stops
 * after `yearsPerRun` years, or when `hasTime` returns false, and the next run continues. A source that fails is reported and
 * logged, and the others continue. Idempotent, also when several runs overlap.
 */
export async function fetchHistory(
  hasTime: () => boolean = () => true,
  limits: Limits = {},
  now: Date = Clock.now(),
): Promise<History> {
  const needed = await oldestNeededDay(hasTime, now);
  const history: History = { needed: needed ?? null, sources: [], corrected: [], quarantined: [] };
  if (needed === undefined) return history;
  for (const source of sources) {
    const outcome = await fetchSource(source, needed, hasTime, limits, now, history);
    history.sources.push(outcome);
    if (outcome.outcome === "refused") log.error("rate history refused", outcome);
  }
  return history;
}

/**
 * Returns the oldest day that was found to need rates so far. Reads the workspaces in pages after the one where the last run
 * stopped.
 */
async function oldestNeededDay(hasTime: () => boolean, now: Date): Promise<Day | undefined> {
  const [found = "", stoppedAfter = ""] = (await JobCursor.load(job)).split(" ");
  let [needed, after] = [found, stoppedAfter];
  for (let more = true; more && hasTime(); ) {
    const page = await oldestEntries(after);
    for (const { oldest } of page) {
      // One day earlier covers every time zone.
      const day = oldest && addDays(oldest.toISOString().slice(0, 10), -1);
      if (day && (needed === "" || day < needed)) needed = day;
    }
    more = page.length === pageSize;
    after = more ? (page.at(-1)?.id ?? "") : "";
  }
  if (needed === "") return undefined;
  await JobCursor.store(job, `${needed} ${after}`, now);
  return needed;
}

function oldestEntries(after: string): Promise<{ id: string; oldest: Date | null }[]> {
  return db()
    .selectFrom("workspaces")
    .select(({ selectFrom }) => [
      "workspaces.id",
      selectFrom("time_entries")
        .select("started_at")
        .whereRef("time_entries.workspace_id", "=", "workspaces.id")
        .where("amount_minor", "<>", 0n)
        .orderBy("started_at")
        .limit(1)
        .as("oldest"),
    ])
    .where("plan", "=", "ENTERPRISE")
    .where("workspaces.id", ">", after)
    .orderBy("workspaces.id")
    .limit(pageSize)
    .execute();
}

async function fetchSource(
  source: Source,
  needed: Day,
  hasTime: () => boolean,
  limits: Limits,
  now: Date,
  history: History,
): Promise<Outcome> {
  const target = later(oldestUsableDay(needed), firstDays[source]);
  const today = dayIn(bankTimezone, now);
  let from = await coveredFrom(source, today);
  let rates = 0;
  try {
    const tablesOf = source === "ECB" ? ecbHistory(limits, today) : nbpHistory(source, limits, today);
    for (let years = 0; from > target && years < yearsPerRun && hasTime(); years++) {
      const until = addDays(from, -1);
      const start = later(`${until.slice(0, 4)}-01-01`, firstDays[source]);
      const stored = await storeTables(source, await tablesOf(start, until), now);
      rates += stored.accepted;
      history.corrected.push(...stored.corrected);
      history.quarantined.push(...stored.quarantined);
      from = start;
      await saveCoveredFrom(source, from, now);
    }
    return { source, from, outcome: from > target ? "continues" : "complete", rates };
  } catch (error) {
    if (!(error instanceof Fault && error.kind === "upstream")) throw error;
    return { source, from, outcome: "refused", rates, reason: error.message };
  }
}

/** Returns the tables of a range of days, oldest first. */
type TablesOf = (from: Day, until: Day) => Promise<PublishedTable[]>;

/** Downloads the ECB's full history at the first call, because the bank has no shorter document of older days. */
function ecbHistory(limits: Limits, today: Day): TablesOf {
  let all: Promise<PublishedTable[]> | undefined;
  const { ecb } = Config.rateFeeds();
  const fetchAll = async () => {
    const text = await textOf(`${ecb}/eurofxref-hist.xml`, { maxBytes: maxHistoryBytes, ...limits });
    if (text === undefined)
      throw new Fault("upstream", "feed_unreachable", "The bank’s server returned status 404.");
    return sortByDay(Ecb.read(text), today);
  };
  return async (from, until) => {
    all ??= fetchAll();
    return (await all).filter(({ day }) => from <= day && day <= until);
  };
}

/** Requests ranges of `historyDays`, as the NBP allows no longer ones. It returns 404 for a range without a table. */
function nbpHistory(source: Exclude<Source, "ECB">, limits: Limits, today: Day): TablesOf {
  const { nbp } = Config.rateFeeds();
  const letter = source === "NBP-A" ? "A" : "B";
  return async (from, until) => {
    const tables: PublishedTable[] = [];
    for (let start = from; start <= until; start = addDays(start, historyDays + 1)) {
      const end = earlier(addDays(start, historyDays), until);
      const text = await textOf(`${nbp}/${letter}/${start}/${end}/?format=json`, limits);
      if (text !== undefined) tables.push(...sortByDay(Nbp.read(letter, text), today));
    }
    return tables;
  };
}

async function textOf(url: string, limits: Limits): Promise<string | undefined> {
  const downloaded = await download(url, { etag: null, lastModified: null }, limits);
  return downloaded.kind === "new" ? downloaded.text : undefined;
}

/** Returns the day from which the history of a source was fetched completely: at first tomorrow. */
async function coveredFrom(source: Source, today: Day): Promise<Day> {
  const row = await db()
    .selectFrom("rate_histories")
    .select("covered_from")
    .where("source", "=", source)
    .executeTakeFirst();
  return row?.covered_from ?? addDays(today, 1);
}

async function saveCoveredFrom(source: Source, day: Day, now: Date): Promise<void> {
  const values = { covered_from: day, fetched_at: now };
  await transaction((tx) =>
    tx
      .insertInto("rate_histories")
      .values({ source, ...values })
      .onConflict((conflict) => conflict.column("source").doUpdateSet(values))
      .execute(),
  );
}

function later(a: Day, b: Day): Day {
  return a > b ? a : b;
}

function earlier(a: Day, b: Day): Day {
  return a < b ? a : b;
}
