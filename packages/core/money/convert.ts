import * as z from "zod/mini";
import { CurrencyCode } from "../base/currency-code.ts";
import { Day } from "../base/day.ts";
import { db, type Reader } from "../platform/db/engine.ts";
import { loadRates } from "./load-rates.ts";
import * as Money from "./money.ts";
import { formatRate, type RateSource, rateSources, type SelectedRate, selectRate } from "./rate-selection.ts";
import type { Rational } from "./rational.ts";

/** Converted money, with the rate that was used: units of `currency` for one unit of the original currency. */
export const Converted = z.object({
  amount: z.string(),
  currency: CurrencyCode,
  rate: z.string(),
  rateDate: Day,
  rateSource: z.enum(rateSources),
});
export type Converted = z.infer<typeof Converted>;

/** The rate of one currency on one day. Amounts are multiplied by `exact`; `text` is for display. */
export type Rate = { exact: Rational; text: string; day: Day; source: RateSource };

/** Converts money to one currency. Each function returns undefined when no rate is available for the day. */
export type Converter = {
  to: string;
  rate(currency: string, day: Day): Rate | undefined;
  /** Converts money at the rate of a day, rounded once, half to even. */
  exchange(money: Money.Money, day: Day): Money.Money | undefined;
  /** Converts like `exchange` and adds the rate, formatted for a response. */
  convert(money: Money.Money, day: Day): Converted | undefined;
};

export type ConversionQuery = {
  workspaceId: string;
  to: string;
  /** The original currencies. Other currencies have no rate in the converter. */
  currencies: readonly string[];
  /** The first and last day to load rates for, in the workspace's time zone. */
  from: Day;
  until: Day;
};

/**
 * Returns a converter for a workspace. Loads the rates in four statements. Converting amounts then needs no further
 * statements. All codes must be known currencies.
 */
export async function converter(
  { workspaceId, to, currencies, from, until }: ConversionQuery,
  reader: Reader = db(),
): Promise<Converter> {
  const available = await loadRates(reader, { workspaceId, currencies: [...currencies, to], from, until });
  const rates = new Map<string, Rate | undefined>();

  function rate(currency: string, day: Day): Rate | undefined {
    const key = `${currency} ${day}`;
    if (!rates.has(key)) rates.set(key, rateOf(selectRate(available, currency, to, day)));
    return rates.get(key);
  }

  function exchange(money: Money.Money, day: Day): Money.Money | undefined {
    const found = rate(money.currency, day);
    return found && Money.exchanged(money, to, found.exact);
  }

  return {
    to,
    rate,
    exchange,
    convert(money, day) {
      const [found, exchanged] = [rate(money.currency, day), exchange(money, day)];
      if (!found || !exchanged) return undefined;
      return { ...Money.view(exchanged), rate: found.text, rateDate: found.day, rateSource: found.source };
    },
  };
}

function rateOf(selected: SelectedRate | undefined): Rate | undefined {
  if (!selected) return undefined;
  const { rate, day, source } = selected;
  return { exact: rate, text: formatRate(rate), day, source };
}
