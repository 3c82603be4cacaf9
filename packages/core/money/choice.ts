import { type Day, daysFrom, shifted } from "../base/day.ts";
import { fixedPerEuro } from "./currency.ts";
import * as Rational from "./rational.ts";

/** Published tables, in the order in which they are asked: European Central Bank, National Bank of Poland A and B. */
export const sources = ["ECB", "NBP-A", "NBP-B"] as const;
export type Source = (typeof sources)[number];

/** Where a rate can come from. `fixed`: one is one, and what the euro replaced has its rate for good. */
export const rateSources = [...sources, "override", "fixed"] as const;
export type RateSource = (typeof rateSources)[number];

/** A rate serves so many days after the one it was published for, and no longer. */
export const maxAgeDays = 14;

/** From this age on a rate is called stale: a long holiday weekend for daily tables, a week and a holiday for weekly ones. */
export const staleAfterDays: Readonly<Record<Source, number>> = { ECB: 5, "NBP-A": 5, "NBP-B": 9 };

/** One published document. `values`: what one unit of each currency is worth in the document's own, which is in it too. */
export type Document = {
  source: Source;
  day: Day;
  /** The bank's number or name for it. */
  name: string;
  values: ReadonlyMap<string, Rational.Rational>;
};

/** Significant digits of a rate in an answer. What is converted is converted exactly. */
export const rateDigits = 15;

/** A rate as it stands in an answer. */
export function written(rate: Rational.Rational): string {
  return Rational.toDigits(rate, rateDigits);
}

/** Documents of each table, oldest first. */
export type Library = Readonly<Record<Source, readonly Document[]>>;

/** A workspace's own rate: units of `currency` for one of `base`, from a day on, to a day (inclusive) or for good. */
export type Override = {
  currency: string;
  base: string;
  rate: Rational.Rational;
  validFrom: Day;
  validTo: Day | null;
};

export type Books = {
  published: Library;
  /** Tables that have been fetched at least once. Those that have not are stood in for by the snapshot. */
  fetched: ReadonlySet<Source>;
  snapshot: Library;
  overrides: readonly Override[];
};

/** Units of the one currency for one of the other, and on whose word. */
export type Chosen = {
  rate: Rational.Rational;
  day: Day;
  source: RateSource;
  /** The bank's number or name of the document; null when none decides. */
  document: string | null;
  stale: boolean;
};

/**
 * What one unit of `from` was worth in `to` on a day: by the workspace's override, else by the first table that has both
 * in one document, the last one published on or before that day and not longer ago than `within` days; never a later
 * one. Undefined when there is none.
 */
export function choose(
  books: Books,
  from: string,
  to: string,
  day: Day,
  within: number = maxAgeDays,
): Chosen | undefined {
  const [a, b] = from === to ? [] : [inForce(books, from, day), inForce(books, to, day)];
  if (!a && !b) return byBanks(books, from, to, day, within);
  // From one currency to the base of its override, to the base of the other's, to the other.
  const [start, end] = [a?.base ?? from, b?.base ?? to];
  const between = byBanks(books, start, end, day, within);
  if (!between) return undefined;
  let rate = between.rate;
  if (a) rate = Rational.over(rate, a.rate);
  if (b) rate = Rational.times(rate, b.rate);
  const since = [a, b].flatMap((override) => override?.validFrom ?? []).reduce((x, y) => (x > y ? x : y));
  return { rate, day: since, source: "override", document: null, stale: start !== end && between.stale };
}

/** The override of a currency on a day: the one that began last. */
function inForce({ overrides }: Books, currency: string, day: Day): Override | undefined {
  return overrides
    .filter((o) => o.currency === currency && o.validFrom <= day && (o.validTo === null || day <= o.validTo))
    .reduce<Override | undefined>((last, o) => (last && last.validFrom > o.validFrom ? last : o), undefined);
}

function byBanks(books: Books, from: string, to: string, day: Day, within: number): Chosen | undefined {
  return (
    published(books.published, from, to, day, within) ??
    bySnapshot(books, from, to, day) ??
    fixed(from, to, day)
  );
}

function published(library: Library, from: string, to: string, day: Day, within: number): Chosen | undefined {
  for (const source of sources) {
    const documents = library[source];
    for (let at = lastUpTo(documents, day); at >= 0; at--) {
      const document = documents[at] as Document;
      const age = daysFrom(document.day, day);
      if (age > within) break;
      const rate = cross(library, document, from, to, day, within);
      if (rate)
        return {
          rate,
          day: document.day,
          source,
          document: document.name,
          stale: age > staleAfterDays[source],
        };
    }
  }
  return undefined;
}

/**
 * The documents that the installation came with, however old by now, and only as long as no table has been fetched that
 * knows both currencies: from then on the ordinary rule holds.
 */
function bySnapshot({ snapshot, fetched }: Books, from: string, to: string, day: Day): Chosen | undefined {
  const found = published(snapshot, from, to, day, Number.POSITIVE_INFINITY);
  if (!found) return undefined;
  const knows = (source: Source) =>
    snapshot[source].some((document) => worth(document, from) && worth(document, to));
  if (fetched.has(found.source as Source) || sources.some((source) => fetched.has(source) && knows(source)))
    return undefined;
  return { ...found, stale: true };
}

/** One is one, and the currencies that the euro replaced stand in fixed relations: for that no bank need be asked. */
function fixed(from: string, to: string, day: Day): Chosen | undefined {
  const [a, b] = [perEuro(from), perEuro(to)];
  const rate = from === to ? Rational.one : a && b ? Rational.over(b, a) : undefined;
  return rate && { rate, day, source: "fixed", document: null, stale: false };
}

function cross(
  library: Library,
  document: Document,
  from: string,
  to: string,
  day: Day,
  within: number,
): Rational.Rational | undefined {
  const value = (code: string) =>
    worth(document, code) ??
    (document.source === "NBP-B" ? bridged(library, document.day, code, day, within) : undefined);
  const [a, b] = [value(from), value(to)];
  return a && b && Rational.over(a, b);
}

/**
 * Table B knows nothing but zlotys. The other leg is the one of the same day's table A, or of the last one before, or of
 * the European Central Bank's document when there is no table A in time.
 */
function bridged(
  library: Library,
  documentDay: Day,
  code: string,
  day: Day,
  within: number,
): Rational.Rational | undefined {
  for (const source of ["NBP-A", "ECB"] as const) {
    const documents = library[source];
    for (let at = lastUpTo(documents, documentDay); at >= 0; at--) {
      const document = documents[at] as Document;
      if (daysFrom(document.day, day) > within) break;
      const [value, zloty] = [worth(document, code), worth(document, "PLN")];
      if (value && zloty) return Rational.over(value, zloty);
    }
  }
  return undefined;
}

/** What a unit is worth in the document's own currency; one of a retired currency, through the document's euro. */
function worth({ values }: Document, code: string): Rational.Rational | undefined {
  const known = values.get(code);
  const fixedRate = known ? undefined : perEuro(code);
  const euro = fixedRate && values.get("EUR");
  return known ?? (fixedRate && euro && Rational.over(euro, fixedRate));
}

function perEuro(code: string): Rational.Rational | undefined {
  if (code === "EUR") return Rational.one;
  const rate = fixedPerEuro(code);
  return rate === undefined ? undefined : Rational.parse(rate);
}

/** Index of the last document of a day or before it; -1 when all are later. */
function lastUpTo(documents: readonly Document[], day: Day): number {
  let [low, high] = [0, documents.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((documents[middle] as Document).day <= day) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** What currency a table is in, and which way it counts: the ECB units for a euro, the NBP zlotys for a unit. */
export function document(
  source: Source,
  day: Day,
  name: string,
  rates: Iterable<readonly [string, string]>,
): Document {
  const values = new Map<string, Rational.Rational>([[source === "ECB" ? "EUR" : "PLN", Rational.one]]);
  for (const [code, text] of rates) {
    const rate = Rational.parse(text);
    values.set(code, source === "ECB" ? Rational.over(Rational.one, rate) : rate);
  }
  return { source, day, name, values };
}

/** The first day from which on a document can still serve this one. */
export function earliest(day: Day): Day {
  return shifted(day, -maxAgeDays);
}
