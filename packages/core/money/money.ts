import * as z from "zod/mini";
import { Fault } from "../base/fault.ts";
import { minorUnits } from "./currency.ts";
import * as Rational from "./rational.ts";

/** An exact amount in the smallest unit of its currency: 1250 of EUR are 12.50, of JPY 1250, of KWD 1.250. */
export type Money = { minor: bigint; currency: string };

/** Money as it stands in every answer: a decimal string with all the places that its currency has. */
export const View = z.object({ amount: z.string(), currency: z.string() });
export type View = z.infer<typeof View>;

/** An amount as callers send it, not negative. How many places it may have depends on its currency: see `parse`. */
export const Amount = z
  .string()
  .check(z.regex(/^\d{1,12}(?:\.\d{1,4})?$/, "Not a decimal number such as 12.50, as a string."));

/** Money for an answer. */
export function view({ minor, currency }: Money): View {
  return { amount: Rational.placed(minor, minorUnits(currency)), currency };
}

/**
 * The money that an `Amount` and a listed currency stand for. Throws 422 `amount_too_precise`, naming the pointer, when
 * the currency has fewer places: nothing is rounded that somebody typed.
 */
export function parse(amount: string, currency: string, pointer: string): Money {
  const { n, d } = Rational.parse(amount);
  const scaled = n * 10n ** BigInt(minorUnits(currency));
  if (scaled % d === 0n) return { minor: scaled / d, currency };
  const detail = `${currency} has ${minorUnits(currency)} decimal places.`;
  throw new Fault("invalid", "amount_too_precise", detail, {
    errors: [{ pointer, code: "amount_too_precise", detail }],
  });
}

/** So many times this money, rounded once, half-even: an hourly rate times seconds over 3600 is what the time is worth. */
export function times({ minor, currency }: Money, factor: Rational.Rational): Money {
  return { minor: Rational.rounded({ n: minor * factor.n, d: factor.d }), currency };
}

/** This money in another currency at so many of its units for one, rounded once, half-even. */
export function exchanged({ minor, currency }: Money, to: string, rate: Rational.Rational): Money {
  const value = {
    n: minor * rate.n * 10n ** BigInt(minorUnits(to)),
    d: rate.d * 10n ** BigInt(minorUnits(currency)),
  };
  return { minor: Rational.rounded(value), currency: to };
}
