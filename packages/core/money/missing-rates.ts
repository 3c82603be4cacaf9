import * as z from "zod/mini";
import { CurrencyCode } from "../base/currency-code.ts";
import { Day } from "../base/day.ts";

/** Entries in a currency that have no rate on their day. `from` and `to` are the first and the last of these days. */
export const MissingRate = z.object({ currency: CurrencyCode, from: Day, to: Day, entries: z.int() });
export type MissingRate = z.infer<typeof MissingRate>;

/** Counts entries without a rate, by their currency and day, and sorts the result by currency. */
export function missingRates(entries: Iterable<{ currency: string; day: Day }>): MissingRate[] {
  const found = new Map<string, MissingRate>();
  for (const { currency, day } of entries) {
    const known = found.get(currency) ?? { currency, from: day, to: day, entries: 0 };
    found.set(currency, {
      currency,
      from: day < known.from ? day : known.from,
      to: day > known.to ? day : known.to,
      entries: known.entries + 1,
    });
  }
  return [...found.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
}
