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

export type Classified = { accepted: NewRate[]; quarantined: QuarantinedRate[] };

/**
 * Sorts the new rates of these tables (oldest first) into accepted and quarantined ones. Each rate is compared with the last
 * accepted rate of its currency, unless that one is too old to be used. Rates in `stored` never change, even if the tables
 * now differ.
 */
export function classify(tables: readonly PublishedTable[], stored: readonly Rate[]): Classified {
  const storedRates = new Map(stored.map((rate) => [`${rate.day} ${rate.code}`, rate]));
  const last = lastBefore(tables[0]?.day ?? "", stored);
  const classified: Classified = { accepted: [], quarantined: [] };
  for (const { day, document, rates } of tables)
    for (const [code, rate] of rates) {
      const previous = last.get(code);
      const known = storedRates.get(`${day} ${code}`);
      if (known) last.set(code, known);
      else if (previous && daysBetween(previous.day, day) <= maxAgeDays && jumps(previous.rate, rate))
        classified.quarantined.push({
          code,
          day,
          rate,
          document,
          previousDay: previous.day,
          previousRate: previous.rate,
        });
      else {
        classified.accepted.push({ code, day, rate, document });
        last.set(code, { code, day, rate });
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

function jumps(before: string, after: string): boolean {
  const ratio = Rational.over(Rational.parse(after), Rational.parse(before));
  return Rational.compare(ratio, tooHigh) >= 0 || Rational.compare(ratio, tooLow) <= 0;
}
