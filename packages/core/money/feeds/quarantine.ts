import { type Day, daysBetween } from "../../base/day.ts";
import { maxAgeDays } from "../rate-selection.ts";
import * as Rational from "../rational.ts";
import type { PublishedTable } from "./published-table.ts";

/** A change of 20% or more from one table to the next is more likely an error of the bank than a market move. */
const tooHigh = Rational.parse("1.2");
const tooLow = Rational.parse("0.8");

export type Rate = { code: string; day: Day; rate: string };

/** A published rate that is not stored yet, with the name of its document. */
export type NewRate = Rate & { document: string };

export type QuarantinedRate = NewRate & { previousDay: Day; previousRate: string };

/** A new value of a stored rate. `revision` is its number: see `RecordedRate`. */
export type CorrectedRate = NewRate & { previousRate: string; revision: number };

export type Classified = { accepted: NewRate[]; corrected: CorrectedRate[]; quarantined: QuarantinedRate[] };

type StoredRate = Rate & { revision: number };

/**
 * Sorts the new rates of these tables (oldest first) into accepted, corrected and quarantined ones. Each rate is compared with the
 * last accepted rate of its currency, unless that one is too old to be used, and a correction also with the value that it
 * replaces. `stored` contains the last revision of each stored rate.
 */
export function classify(tables: readonly PublishedTable[], stored: readonly StoredRate[]): Classified {
  const storedRates = new Map(stored.map((rate) => [`${rate.day} ${rate.code}`, rate]));
  const last = lastBefore(tables[0]?.day ?? "", stored);
  const classified: Classified = { accepted: [], corrected: [], quarantined: [] };
  for (const { day, document, rates } of tables)
    for (const [code, rate] of rates) {
      const previous = last.get(code);
      const known = storedRates.get(`${day} ${code}`);
      const fresh = { code, day, rate, document };
      const compared = [
        previous && daysBetween(previous.day, day) <= maxAgeDays ? previous : undefined,
        known,
      ];
      const jumpedFrom = compared.find((one) => one && jumps(one.rate, rate));
      if (known && isEqual(known.rate, rate)) last.set(code, known);
      else if (jumpedFrom) {
        classified.quarantined.push({ ...fresh, previousDay: jumpedFrom.day, previousRate: jumpedFrom.rate });
        if (known) last.set(code, known);
      } else {
        if (known)
          classified.corrected.push({ ...fresh, previousRate: known.rate, revision: known.revision + 1 });
        else classified.accepted.push(fresh);
        last.set(code, fresh);
      }
    }
  return classified;
}

/** Returns the last stored rate of each currency before a day. */
function lastBefore(day: Day, stored: readonly Rate[]): Map<string, Rate> {
  const last = new Map<string, Rate>();
  for (const rate of stored)
    if (rate.day < day && rate.day > (last.get(rate.code)?.day ?? "")) last.set(rate.code, rate);
  return last;
}

/** Returns whether two decimals are the same number, such as 1.5 and 1.50. */
export function isEqual(a: string, b: string): boolean {
  return Rational.compare(Rational.parse(a), Rational.parse(b)) === 0;
}

function jumps(before: string, after: string): boolean {
  const ratio = Rational.over(Rational.parse(after), Rational.parse(before));
  return Rational.compare(ratio, tooHigh) >= 0 || Rational.compare(ratio, tooLow) <= 0;
}
