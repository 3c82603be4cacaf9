import { Fault } from "../../base/fault.ts";
import type { Source } from "../rate-selection.ts";

/** The rates that a bank published for one day, with exactly the published digits. */
export type PublishedTable = {
  source: Source;
  day: string;
  /** The bank's number or name of the document. */
  document: string;
  rates: ReadonlyMap<string, string>;
};

/** Returns the fault for a document that breaks the bank's format. The whole document is rejected. */
export function feedRefused(why: string, cause?: unknown): Fault {
  return new Fault("upstream", "feed_refused", why, { cause });
}

/**
 * Validates one table of a document. Throws `upstream` `feed_refused` for a missing or invalid day, document name or currency
 * code, for a rate that is not a plain decimal above zero (a decimal comma, an exponent, `NaN`), for a duplicate code, and
 * for an empty table.
 */
export function parseTable(
  source: Source,
  day: unknown,
  document: unknown,
  entries: readonly (readonly [unknown, unknown])[],
): PublishedTable {
  if (typeof day !== "string" || !isDay(day)) throw feedRefused("A table has no valid day.");
  if (typeof document !== "string" || document === "")
    throw feedRefused(`The table of ${day} has no document name.`);
  const rates = new Map<string, string>();
  for (const [code, rate] of entries) {
    if (typeof code !== "string" || !/^[A-Z]{3}$/.test(code))
      throw feedRefused(`The table of ${day} has a rate without a currency code.`);
    if (typeof rate !== "string" || !/^\d{1,9}(?:\.\d{1,12})?$/.test(rate) || !/[1-9]/.test(rate))
      throw feedRefused(`The rate of ${code} on ${day} is not a plain decimal greater than zero.`);
    if (rates.has(code)) throw feedRefused(`The table of ${day} contains ${code} twice.`);
    rates.set(code, rate);
  }
  if (rates.size === 0) throw feedRefused(`The table of ${day} is empty.`);
  return { source, day, document, rates };
}

/**
 * Sorts the tables of one document by day. Throws `upstream` `feed_refused` for an empty document, a duplicate day, and a day
 * after `today`.
 */
export function sortByDay(tables: readonly PublishedTable[], today: string): PublishedTable[] {
  const sorted = [...tables].sort((a, b) => (a.day < b.day ? -1 : 1));
  if (sorted.length === 0) throw feedRefused("The document contains no table.");
  if (sorted.some(({ day }, at) => day === sorted[at - 1]?.day))
    throw feedRefused("The document contains two tables of the same day.");
  if (sorted.some(({ day }) => day > today)) throw feedRefused("A table is dated in the future.");
  return sorted;
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true;
}
