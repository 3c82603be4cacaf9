import { addDays, type Day, daysBetween } from "../base/day.ts";
import { fixedPerEuro } from "./currency.ts";
import * as Rational from "./rational.ts";

/** Sources of published rates, in order of preference: European Central Bank, National Bank of Poland tables A and B. */
export const sources = ["ECB", "NBP-A", "NBP-B"] as const;
export type Source = (typeof sources)[number];

/** Every origin of a rate. `fixed` covers 1 to 1 and the currencies that the euro replaced. */
export const rateSources = [...sources, "override", "fixed"] as const;
export type RateSource = (typeof rateSources)[number];

/** A published rate can be used on its own day and for this many days after it. */
export const maxAgeDays = 14;

/** A rate older than this is stale. The limits allow for a long weekend (daily tables) or a holiday week (weekly table). */
export const staleAfterDays: Readonly<Record<Source, number>> = { ECB: 5, "NBP-A": 5, "NBP-B": 9 };

/** The rates that one source published for one day. */
export type RateTable = {
  source: Source;
  day: Day;
  /** The bank's number or name of the document. */
  name: string;
  /** Value of one unit of each currency in the table's base currency. Includes the base currency itself. */
  values: ReadonlyMap<string, Rational.Rational>;
};

/** Tables by source, oldest first. */
export type RateTables = Readonly<Record<Source, readonly RateTable[]>>;

/** A workspace's override: units of `currency` for one unit of `base`, from `validFrom` to `validTo` (inclusive). */
export type Override = {
  currency: string;
  base: string;
  rate: Rational.Rational;
  validFrom: Day;
  /** Null for no end. */
  validTo: Day | null;
};

/** All data that `selectRate` can choose from. */
export type AvailableRates = {
  published: RateTables;
  /** The tables of locked periods, as they were when their days were locked, earliest first. */
  locked?: readonly { until: Day; published: RateTables }[];
  /** Sources that have been fetched at least once. The snapshot replaces the others. */
  fetched: ReadonlySet<Source>;
  snapshot: RateTables;
  overrides: readonly Override[];
};

/** A rate, in units of the target currency for one unit of the original, and its origin. */
export type SelectedRate = {
  rate: Rational.Rational;
  day: Day;
  source: RateSource;
  /** The bank's number or name of the document; null for an override or a fixed rate. */
  document: string | null;
  stale: boolean;
};

/** Significant digits of a rate in a response. Conversions use the exact rate. */
const rateDigits = 15;

/** Formats a rate for a response. */
export function formatRate(rate: Rational.Rational): string {
  return Rational.toDigits(rate, rateDigits);
}

type Request = { rates: AvailableRates; from: string; to: string; day: Day; maxAge: number };

/** Returns a rate, `null` to end the search without a rate, or `undefined` to try the next lookup. */
type Lookup = (request: Request) => SelectedRate | null | undefined;

const lookupsWithoutOverrides: readonly Lookup[] = [fromFixedRates, fromPublishedTables, fromSnapshot];

/** The lookups in order of preference. The first result that is not undefined is used. */
const lookups: readonly Lookup[] = [fromOverrides, ...lookupsWithoutOverrides];

/**
 * Returns the value of one unit of `from` in `to` on a day, or undefined when no rate is available. Published tables count
 * when they are from that day or at most `maxAge` days older, never when they are newer. Of a locked day, only those count that
 * were recorded before it was locked.
 */
export function selectRate(
  rates: AvailableRates,
  from: string,
  to: string,
  day: Day,
  maxAge: number = maxAgeDays,
): SelectedRate | undefined {
  const lock = rates.locked?.find(({ until }) => day <= until);
  const used = lock ? { ...rates, published: lock.published } : rates;
  return firstOf(lookups, { rates: used, from, to, day, maxAge });
}

function firstOf(lookups: readonly Lookup[], request: Request): SelectedRate | undefined {
  for (const lookup of lookups) {
    const selected = lookup(request);
    if (selected !== undefined) return selected ?? undefined;
  }
  return undefined;
}

/** Converts through the base currencies of the overrides: from → its base → the other base → to. */
function fromOverrides(request: Request): SelectedRate | null | undefined {
  const { rates, from, to, day } = request;
  if (from === to) return undefined;
  const [a, b] = [activeOverride(rates, from, day), activeOverride(rates, to, day)];
  if (!a && !b) return undefined;
  const [start, end] = [a?.base ?? from, b?.base ?? to];
  const between = firstOf(lookupsWithoutOverrides, { ...request, from: start, to: end });
  if (!between) return null;
  let rate = between.rate;
  if (a) rate = Rational.over(rate, a.rate);
  if (b) rate = Rational.times(rate, b.rate);
  const since = [a, b].flatMap((override) => override?.validFrom ?? []).reduce((x, y) => (x > y ? x : y));
  return { rate, day: since, source: "override", document: null, stale: start !== end && between.stale };
}

/** Returns the override of a currency on a day. Where several overlap, the one that began last wins. */
function activeOverride({ overrides }: AvailableRates, currency: string, day: Day): Override | undefined {
  return overrides
    .filter((o) => o.currency === currency && o.validFrom <= day && (o.validTo === null || day <= o.validTo))
    .reduce<Override | undefined>((last, o) => (last && last.validFrom > o.validFrom ? last : o), undefined);
}

function fromPublishedTables(request: Request): SelectedRate | undefined {
  return newestIn(request.rates.published, request);
}

/** Searches the sources in order. In each, the newest usable table that has both currencies wins. */
function newestIn(tables: RateTables, { from, to, day, maxAge }: Omit<Request, "rates">) {
  for (const source of sources)
    for (const table of upToDay(tables[source], day)) {
      const age = daysBetween(table.day, day);
      if (age > maxAge) break;
      const rate = crossRate(tables, table, from, to, day, maxAge);
      if (rate)
        return { rate, day: table.day, source, document: table.name, stale: age > staleAfterDays[source] };
    }
  return undefined;
}

/**
 * Uses the tables that ship with the installation, regardless of their age, and marks the rate as stale. Ignores them once a
 * source with both currencies has been fetched.
 */
function fromSnapshot(request: Request): SelectedRate | undefined {
  const { snapshot, fetched } = request.rates;
  const found = newestIn(snapshot, { ...request, maxAge: Number.POSITIVE_INFINITY });
  if (!found) return undefined;
  const hasBoth = (source: Source) =>
    snapshot[source].some((table) => valueIn(table, request.from) && valueIn(table, request.to));
  if (fetched.has(found.source) || sources.some((source) => fetched.has(source) && hasBoth(source)))
    return undefined;
  return { ...found, stale: true };
}

/** Returns the rates that never change: of a currency to itself, and between the euro and the currencies it replaced. */
function fromFixedRates({ from, to, day }: Request): SelectedRate | undefined {
  const [a, b] = [perEuro(from), perEuro(to)];
  const rate = from === to ? Rational.one : a && b ? Rational.over(b, a) : undefined;
  return rate && { rate, day, source: "fixed", document: null, stale: false };
}

/** Returns the rate if the table has both currencies, or table B has one of them. */
function crossRate(
  tables: RateTables,
  table: RateTable,
  from: string,
  to: string,
  day: Day,
  maxAge: number,
): Rational.Rational | undefined {
  const own = [valueIn(table, from), valueIn(table, to)];
  if (!own.some(Boolean)) return undefined;
  const bridged = (code: string) =>
    table.source === "NBP-B" ? bridgedValue(tables, table.day, code, day, maxAge) : undefined;
  const [a, b] = [own[0] ?? bridged(from), own[1] ?? bridged(to)];
  return a && b && Rational.over(a, b);
}

/** Sources for the value of a currency in zlotys when table B lacks the currency, in order of preference. */
const bridgeSources: readonly Source[] = ["NBP-A", "ECB"];

/**
 * Returns the value of a currency in zlotys, the base currency of table B. Uses the newest table that is not newer than table
 * B.
 */
function bridgedValue(
  tables: RateTables,
  tableDay: Day,
  code: string,
  day: Day,
  maxAge: number,
): Rational.Rational | undefined {
  for (const source of bridgeSources)
    for (const table of upToDay(tables[source], tableDay)) {
      if (daysBetween(table.day, day) > maxAge) break;
      const [value, zloty] = [valueIn(table, code), valueIn(table, "PLN")];
      if (value && zloty) return Rational.over(value, zloty);
    }
  return undefined;
}

/** Returns the value of one unit in the table's base currency. Ended currencies convert through the table's euro. */
function valueIn({ values }: RateTable, code: string): Rational.Rational | undefined {
  const fixedRate = fixedPerEuro(code) === undefined ? undefined : perEuro(code);
  if (!fixedRate) return values.get(code);
  const euro = values.get("EUR");
  return euro && Rational.over(euro, fixedRate);
}

function perEuro(code: string): Rational.Rational | undefined {
  if (code === "EUR") return Rational.one;
  const rate = fixedPerEuro(code);
  return rate === undefined ? undefined : Rational.parse(rate);
}

/** Yields the tables of a day and before, newest first. */
function* upToDay(tables: readonly RateTable[], day: Day): Generator<RateTable, void, undefined> {
  let [low, high] = [0, tables.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tables[middle] as RateTable).day <= day) low = middle + 1;
    else high = middle;
  }
  for (let at = low - 1; at >= 0; at--) yield tables[at] as RateTable;
}

/** Builds a table from published rates: units per euro (ECB), or zlotys per unit (NBP). */
export function rateTable(
  source: Source,
  day: Day,
  name: string,
  rates: Iterable<readonly [string, string]>,
): RateTable {
  const values = new Map<string, Rational.Rational>([[source === "ECB" ? "EUR" : "PLN", Rational.one]]);
  for (const [code, text] of rates) {
    const rate = Rational.parse(text);
    values.set(code, source === "ECB" ? Rational.over(Rational.one, rate) : rate);
  }
  return { source, day, name, values };
}

/** Returns the oldest day whose published rates can still be used on `day`. */
export function oldestUsableDay(day: Day): Day {
  return addDays(day, -maxAgeDays);
}
