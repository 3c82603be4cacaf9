import type { Insertable } from "kysely";
import * as z from "zod/mini";
import * as Clock from "../../base/clock.ts";
import { type Day, dayIn, daysFrom, isWeekday, shifted } from "../../base/day.ts";
import { Fault } from "../../base/fault.ts";
import * as Config from "../../platform/config/config.ts";
import { db } from "../../platform/db/engine.ts";
import type { RateFeeds } from "../../platform/db/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { log } from "../../platform/log/log.ts";
import { maxAgeDays, type Source, staleAfterDays } from "../choice.ts";
import { type Bulletin, inOrder } from "./bulletin.ts";
import { download, type Limits } from "./download.ts";
import * as Ecb from "./ecb.ts";
import * as Nbp from "./nbp.ts";
import { judge, type NewRate, type Quarantined } from "./validate.ts";

/** `accept`: currencies whose quarantined rates somebody has looked at and found to be right. */
export const Refresh = z.object({
  accept: z.optional(z.array(z.string().check(z.regex(/^[A-Z]{3}$/)))),
});
export type Refresh = z.infer<typeof Refresh>;

export type Outcome = {
  feed: string;
  /** `refused`: nothing of it was taken, and what was there before still serves. */
  outcome: "taken" | "unchanged" | "refused";
  /** How many new rates there are now. */
  rates: number;
  reason?: string;
};

export type Refreshed = {
  feeds: Outcome[];
  /** Newly set aside, because they moved by a fifth or more. */
  quarantined: ({ source: Source } & Quarantined)[];
  /** Taken out of quarantine. */
  accepted: number;
  /** Whose newest table is too old by now. Also a bank's that has never been reached. */
  stale: Source[];
};

type Feed = { feed: string; source: Source; address: string; read: (text: string) => Bulletin[] };

/** Days that the banks give in one answer: the ECB's longer document, and what the NBP allows a query. */
const historyDays = 90;

/** Both banks date their tables by this zone's calendar. */
const bankTimezone = "Europe/Warsaw";

/** Of a transaction; Aurora DSQL takes 3,000 written rows. */
const maxRowsAtOnce = 1500;

/**
 * Ask every bank for what it has published since the last time and keep it. One feed that fails is reported and logged
 * and stops no other; its last good rates stay. Asking twice, also at once, changes nothing.
 */
export async function refresh(
  { accept = [] }: Refresh,
  limits: Limits = {},
  now: Date = Clock.now(),
): Promise<Refreshed> {
  const refreshed: Refreshed = { feeds: [], quarantined: [], accepted: await release(accept), stale: [] };
  const today = dayIn(bankTimezone, now);
  const states = await db().selectFrom("rate_feeds").selectAll().execute();
  for (const feed of feeds(states, today)) {
    const outcome = await ask(feed, states, today, limits, now, refreshed.quarantined);
    refreshed.feeds.push(outcome);
    if (outcome.outcome === "refused") log.error("rates refused", outcome);
  }
  refreshed.stale = await stale(today);
  if (refreshed.quarantined.length > 0) log.error("rates quarantined", { rates: refreshed.quarantined });
  return refreshed;
}

/** What to ask for: the short document of the ECB, unless a working day is missing in between, and the NBP's since the last. */
function feeds(states: readonly { source: string; last_day: string }[], today: Day): Feed[] {
  const { ecb, nbp } = Config.rateFeeds();
  const newest = (source: Source) =>
    states
      .filter((state) => state.source === source)
      .reduce<Day | undefined>((day, { last_day }) => (day && day > last_day ? day : last_day), undefined);
  const since = (source: Source) => {
    const [day, start] = [newest(source), shifted(today, -historyDays)];
    return day && day > start ? (day < today ? day : today) : start;
  };
  const lastEcb = newest("ECB");
  const file = lastEcb && !missesWeekday(lastEcb, today) ? "eurofxref-daily" : "eurofxref-hist-90d";
  const table = (letter: "A" | "B"): Feed => ({
    feed: `nbp-${letter.toLowerCase()}`,
    source: `NBP-${letter}`,
    address: `${nbp}/${letter}/${since(`NBP-${letter}`)}/${today}/?format=json`,
    read: (text) => Nbp.read(letter, text),
  });
  return [
    { feed: file, source: "ECB", address: `${ecb}/${file}.xml`, read: Ecb.read },
    table("A"),
    table("B"),
  ];
}

/** Whether a Monday to Friday lies between two days, neither of which counts. */
function missesWeekday(after: Day, before: Day): boolean {
  const between = Math.min(Math.max(daysFrom(after, before) - 1, 0), 7);
  return Array.from({ length: between }, (_, at) => shifted(after, at + 1)).some(isWeekday);
}

type State = { feed: string; address: string; etag: string | null; last_modified: string | null };

async function ask(
  { feed, source, address, read }: Feed,
  states: readonly State[],
  today: Day,
  limits: Limits,
  now: Date,
  setAside: Refreshed["quarantined"],
): Promise<Outcome> {
  try {
    const state = states.find((one) => one.feed === feed && one.address === address);
    const known = { etag: state?.etag ?? null, lastModified: state?.last_modified ?? null };
    const got = await download(address, known, limits);
    // The NBP's way to say that it has published nothing between two days; the ECB's document is always there.
    if (got.kind === "absent" && source === "ECB")
      throw new Fault("upstream", "feed_unreachable", "The bank answers 404.");
    if (got.kind !== "new") return { feed, outcome: "unchanged", rates: 0 };
    const bulletins = inOrder(read(got.text), today);
    const { taken, quarantined } = await keep(source, bulletins, now);
    const last_day = (bulletins.at(-1) as Bulletin).day;
    await remember({
      feed,
      source,
      address,
      etag: got.etag,
      last_modified: got.lastModified,
      last_day,
      fetched_at: now,
    });
    setAside.push(...quarantined.map((rate) => ({ source, ...rate })));
    return { feed, outcome: taken + quarantined.length > 0 ? "taken" : "unchanged", rates: taken };
  } catch (error) {
    if (!(error instanceof Fault && error.kind === "upstream")) throw error;
    return { feed, outcome: "refused", rates: 0, reason: error.message };
  }
}

/** Write what is new, a few whole days at a time, so that a run that dies goes on where it stopped. */
async function keep(source: Source, bulletins: readonly Bulletin[], now: Date) {
  let [taken, quarantined]: [number, Quarantined[]] = [0, []];
  for (const batch of batches(bulletins)) {
    const written = await transaction(async (tx) => {
      const known = await tx
        .selectFrom("rates")
        .select(["code", "day", "rate"])
        .where("source", "=", source)
        .where("day", ">=", shifted((batch[0] as Bulletin).day, -maxAgeDays))
        .where("day", "<=", (batch.at(-1) as Bulletin).day)
        .execute();
      const judged = judge(batch, known);
      const good = judged.good.map((rate) => row(source, rate, now));
      const aside = judged.quarantined.map(({ previousDay, previousRate, ...rate }) => ({
        ...row(source, rate, now),
        previous_day: previousDay,
        previous_rate: previousRate,
      }));
      const inserted =
        good.length === 0
          ? []
          : await tx
              .insertInto("rates")
              .values(good)
              .onConflict((conflict) => conflict.columns(["source", "code", "day"]).doNothing())
              .returning("code")
              .execute();
      const asideNow =
        aside.length === 0
          ? []
          : await tx
              .insertInto("quarantined_rates")
              .values(aside)
              .onConflict((conflict) => conflict.columns(["source", "code", "day"]).doNothing())
              .returning(["code", "day"])
              .execute();
      const isNew = new Set(asideNow.map(({ code, day }) => `${code} ${day}`));
      return {
        taken: inserted.length,
        quarantined: judged.quarantined.filter(({ code, day }) => isNew.has(`${code} ${day}`)),
      };
    });
    taken += written.taken;
    quarantined = [...quarantined, ...written.quarantined];
  }
  return { taken, quarantined };
}

function batches(bulletins: readonly Bulletin[]): Bulletin[][] {
  const all: Bulletin[][] = [];
  let rows = Number.POSITIVE_INFINITY;
  for (const bulletin of bulletins) {
    rows += bulletin.rates.size;
    if (rows > maxRowsAtOnce) {
      all.push([]);
      rows = bulletin.rates.size;
    }
    all.at(-1)?.push(bulletin);
  }
  return all;
}

function row(source: Source, { code, day, rate, document }: NewRate, now: Date) {
  return { source, code, day, rate, document, fetched_at: now };
}

async function remember(state: Insertable<RateFeeds>): Promise<void> {
  await transaction((tx) =>
    tx
      .insertInto("rate_feeds")
      .values(state)
      .onConflict((conflict) => conflict.column("feed").doUpdateSet(state))
      .execute(),
  );
}

async function stale(today: Day): Promise<Source[]> {
  const rows = await db().selectFrom("rate_feeds").select(["source", "last_day"]).execute();
  return (Object.entries(staleAfterDays) as [Source, number][])
    .filter(([source, days]) => {
      const oldest = shifted(today, -days);
      return !rows.some((row) => row.source === source && row.last_day >= oldest);
    })
    .map(([source]) => source);
}

/** Take the rates of these currencies out of quarantine. Answers how many. */
async function release(codes: readonly string[]): Promise<number> {
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
