import * as z from "zod/mini";
import { Day } from "../base/day.ts";
import { db, type Reader } from "../platform/db/engine.ts";
import { type Chosen, choose, type RateSource, rateSources, written } from "./choice.ts";
import * as Money from "./money.ts";
import * as Books from "./rate-tables.ts";
import type { Rational } from "./rational.ts";

/** Money in the currency that was asked for, with the rate (units of it for one of the original) and on whose word. */
export const Converted = z.object({
  amount: z.string(),
  currency: z.string(),
  rate: z.string(),
  rateDate: Day,
  rateSource: z.enum(rateSources),
});
export type Converted = z.infer<typeof Converted>;

/** The rate of one currency and day. `exact` is what amounts are multiplied with, `text` what people are shown. */
export type Rate = { exact: Rational; text: string; day: Day; source: RateSource };

export type Converter = {
  to: string;
  /** Undefined when no rate was published in the fourteen days up to that one (`rate_unavailable`). */
  rate(currency: string, day: Day): Rate | undefined;
  /** This money at the rate of a day, rounded once, half-even. Undefined when there is no rate. */
  exchange(money: Money.Money, day: Day): Money.Money | undefined;
  /** The same as it stands in an answer, with its rate. */
  convert(money: Money.Money, day: Day): Converted | undefined;
};

export type Asked = {
  workspaceId: string;
  to: string;
  /** What will be converted; other currencies have no rate here. */
  currencies: readonly string[];
  /** The first and the last day, in the workspace's time zone, for which a rate will be asked. */
  from: Day;
  until: Day;
};

/**
 * What money of a workspace was worth in another currency, by its day: three statements now, none later, however many
 * amounts there are. All codes must be known currencies.
 */
export async function converter(
  { workspaceId, to, currencies, from, until }: Asked,
  reader: Reader = db(),
): Promise<Converter> {
  const books = await Books.open(reader, { workspaceId, currencies: [...currencies, to], from, until });
  const rates = new Map<string, Rate | undefined>();

  function rate(currency: string, day: Day): Rate | undefined {
    const key = `${currency} ${day}`;
    if (!rates.has(key)) rates.set(key, shown(choose(books, currency, to, day)));
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

function shown(chosen: Chosen | undefined): Rate | undefined {
  if (!chosen) return undefined;
  const { rate, day, source } = chosen;
  return { exact: rate, text: written(rate), day, source };
}
