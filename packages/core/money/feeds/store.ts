import { addDays } from "../../base/day.ts";
import type { Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { maxAgeDays, type Source } from "../rate-selection.ts";
import { lastRevisions, recordedRates } from "../recorded-rates.ts";
import type { PublishedTable } from "./published-table.ts";
import { type CorrectedRate, classify, isEqual, type NewRate, type QuarantinedRate } from "./quarantine.ts";

/** Rates per transaction. Aurora DSQL allows 3,000 written rows. */
const maxRatesPerTransaction = 1500;

/** `accepted` is the number of newly stored rates. */
export type Stored = { accepted: number; corrected: CorrectedRate[]; quarantined: QuarantinedRate[] };

/** Stores the new rates in transactions of whole days, so that an interrupted run continues where it stopped. */
export async function storeTables(
  source: Source,
  tables: readonly PublishedTable[],
  now: Date,
): Promise<Stored> {
  const stored: Stored = { accepted: 0, corrected: [], quarantined: [] };
  for (const batch of batchesOf(tables)) {
    const { accepted, corrected, quarantined } = await transaction((tx) =>
      storeBatch(tx, source, batch, now),
    );
    stored.accepted += accepted;
    stored.corrected.push(...corrected);
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
  const known = await recordedRates(tx, {
    since: { [source]: addDays((batch[0] as PublishedTable).day, -maxAgeDays) },
    until: (batch.at(-1) as PublishedTable).day,
  });
  const { accepted, corrected, quarantined } = classify(batch, lastRevisions(known));
  return {
    accepted: await insertRates(tx, source, accepted, now),
    corrected: await insertCorrected(tx, source, corrected, now),
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

/** Inserts corrections that do not exist yet. Returns those that were inserted. */
async function insertCorrected(
  tx: Tx,
  source: Source,
  rates: readonly CorrectedRate[],
  now: Date,
): Promise<CorrectedRate[]> {
  if (rates.length === 0) return [];
  const inserted = await tx
    .insertInto("rate_corrections")
    .values(
      rates.map(({ previousRate, ...rate }) => ({
        ...rate,
        source,
        fetched_at: now,
        previous_rate: previousRate,
        workspaces_told: "",
      })),
    )
    .onConflict((conflict) => conflict.columns(["source", "code", "day", "revision"]).doNothing())
    .returning(["code", "day"])
    .execute();
  return onlyInserted(rates, inserted);
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
  return onlyInserted(rates, inserted);
}

type RateKey = { code: string; day: string };

function onlyInserted<Rate extends RateKey>(rates: readonly Rate[], inserted: readonly RateKey[]): Rate[] {
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

/**
 * Moves the quarantined rates of these currencies into use, those of stored days as corrections. Leaves out rates that the bank has
 * corrected since. Returns how many rates were in quarantine.
 */
export async function releaseFromQuarantine(codes: readonly string[], now: Date): Promise<number> {
  if (codes.length === 0) return 0;
  return transaction(async (tx) => {
    const released = await tx
      .deleteFrom("quarantined_rates")
      .where("code", "in", codes)
      .returning(["source", "code", "day", "rate", "document", "fetched_at"])
      .execute();
    for (const { source: name, ...rate } of released) {
      const source = name as Source;
      const { code, day, document } = rate;
      const recorded = await recordedRates(tx, { since: { [source]: day }, until: day, codes: [code] });
      const [known] = lastRevisions(recorded);
      if (!known) await insertRates(tx, source, [rate], now);
      else if (known.fetched_at <= rate.fetched_at && !isEqual(known.rate, rate.rate)) {
        const replaced = { previousRate: known.rate, revision: known.revision + 1 };
        await insertCorrected(tx, source, [{ code, day, document, rate: rate.rate, ...replaced }], now);
      }
    }
    return released.length;
  });
}
