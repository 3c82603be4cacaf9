import * as z from "zod/mini";
import { CurrencyCode } from "../base/currency-code.ts";
import { invalidWithCode } from "../base/invalid.ts";
import { minorUnits } from "./currency.ts";
import * as Rational from "./rational.ts";

/** An exact amount in the smallest unit of its currency. 1250 minor units are EUR 12.50, JPY 1250 or KWD 1.250. */
export type Money = { minor: bigint; currency: string };

/** Money in a response: a decimal string with all decimal places of its currency. */
export const View = z.object({ amount: z.string(), currency: CurrencyCode });
export type View = z.infer<typeof View>;

/** Formats money for a response. */
export function view({ minor, currency }: Money): View {
  return { amount: Rational.formatUnits(minor, minorUnits(currency)), currency };
}

/**
 * Parses a non-negative decimal as an amount of a known currency. Input is never rounded: throws `invalid`
 * `amount_too_precise`, naming the pointer, when the currency has fewer decimal places.
 */
export function parse(amount: string, currency: string, pointer: string): Money {
  const { n, d } = Rational.parse(amount);
  const places = minorUnits(currency);
  const scaled = n * 10n ** BigInt(places);
  if (scaled % d === 0n) return { minor: scaled / d, currency };
  const detail =
    places === 0
      ? `${currency} amounts cannot have decimal places.`
      : `${currency} amounts can have at most ${places} decimal places.`;
  throw invalidWithCode({ pointer }, "amount_too_precise", detail);
}

/** Converts money at `rate` units of `to` for one unit of its currency, rounded once with `Rational.roundHalfEven`. */
export function exchanged({ minor, currency }: Money, to: string, rate: Rational.Rational): Money {
  const value = {
    n: minor * rate.n * 10n ** BigInt(minorUnits(to)),
    d: rate.d * 10n ** BigInt(minorUnits(currency)),
  };
  return { minor: Rational.roundHalfEven(value), currency: to };
}
