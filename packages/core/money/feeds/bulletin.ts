import { Fault } from "../../base/fault.ts";
import type { Source } from "../choice.ts";

/** What one document of a bank says of one day, as the bank wrote it. */
export type Bulletin = {
  source: Source;
  day: string;
  /** The bank's number or name of the document. */
  document: string;
  rates: ReadonlyMap<string, string>;
};

/** A document that is not what the bank promises: none of it is taken. */
export function refused(why: string, cause?: unknown): Fault {
  return new Fault("upstream", "feed_refused", why, { cause });
}

/**
 * A bulletin from the strings of a document. Throws 502 `feed_refused` for anything that is no day, no code or no plain
 * decimal above zero (so a decimal comma, an exponent, `NaN`), for a code that comes twice, and for an empty list.
 */
export function bulletin(
  source: Source,
  day: unknown,
  document: unknown,
  entries: readonly (readonly [unknown, unknown])[],
): Bulletin {
  if (typeof day !== "string" || !isDay(day)) throw refused("A table has no day.");
  if (typeof document !== "string" || document === "") throw refused(`The table of ${day} has no number.`);
  const rates = new Map<string, string>();
  for (const [code, rate] of entries) {
    if (typeof code !== "string" || !/^[A-Z]{3}$/.test(code))
      throw refused(`The table of ${day} has a rate without a currency.`);
    if (typeof rate !== "string" || !/^\d{1,9}(?:\.\d{1,12})?$/.test(rate) || !/[1-9]/.test(rate))
      throw refused(`The rate of ${code} on ${day} is not a plain decimal number.`);
    if (rates.has(code)) throw refused(`The table of ${day} has ${code} twice.`);
    rates.set(code, rate);
  }
  if (rates.size === 0) throw refused(`The table of ${day} is empty.`);
  return { source, day, document, rates };
}

/** The bulletins of one document, oldest first. Throws 502 `feed_refused` for none, for a day twice, and for one of the future. */
export function inOrder(bulletins: readonly Bulletin[], today: string): Bulletin[] {
  const sorted = [...bulletins].sort((a, b) => (a.day < b.day ? -1 : 1));
  if (sorted.length === 0) throw refused("There is no table in the document.");
  if (sorted.some(({ day }, at) => day === sorted[at - 1]?.day)) throw refused("A day comes twice.");
  if (sorted.some(({ day }) => day > today)) throw refused("A table is of a day that has not come yet.");
  return sorted;
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true;
}
