import * as z from "zod/mini";
import { type Place, refused } from "../invalid.ts";

/** Digits after the point by ISO 4217, where they are not two. */
const digits: Readonly<Record<number, readonly string[]>> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" "),
  3: "BHD IQD JOD KWD LYD OMR TND".split(" "),
  4: "CLF UYW".split(" "),
};
const secondsPerHour = 3600n;

/** An amount in its currency: a decimal string with as many digits after the point as the currency has. */
export const Money = z.object({ amount: z.string(), currency: z.string() });
export type Money = z.infer<typeof Money>;

/** A decimal number as people send it; a JSON number is taken by its shortest decimal form, digit by digit. */
export const Decimal = z.pipe(
  z.union([z.string(), z.number()]),
  z.pipe(
    z.transform(String),
    z.string().check(z.regex(/^\d{1,9}(?:\.\d{1,4})?$/, "Not a decimal number such as 12.50.")),
  ),
);

/** How many digits an amount of this currency has after the point (ISO 4217). */
export function minorUnits(currency: string): number {
  const found = Object.entries(digits).find(([, codes]) => codes.includes(currency));
  return found ? Number(found[0]) : 2;
}

/** Throws 422 `currency_unsupported`, naming the place, unless this is the code of a currency. */
export function demandCurrency(currency: string, place: Place): string {
  if (/^[A-Z]{3}$/.test(currency)) return currency;
  throw refused(place, "currency_unsupported", "There is no such currency here.");
}

/** What so many seconds cost at an hourly rate, both in minor units: rounded once, half to even. */
export function cost(seconds: number, hourlyRate: bigint): bigint {
  return divideHalfEven(BigInt(seconds) * hourlyRate, secondsPerHour);
}

/** The quotient of two numbers that are not negative, rounded half to even. */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const [quotient, twice] = [dividend / divisor, (dividend % divisor) * 2n];
  const up = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}

/** 1250 as "12.50", for two digits. */
export function toDecimal(minor: bigint, digits: number): string {
  const text = minor.toString().padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** "12.5" as 1250, for two digits; undefined when the number has more digits than that. */
export function fromDecimal(decimal: string, digits: number): bigint | undefined {
  const [whole = "", fraction = ""] = decimal.split(".");
  const significant = fraction.replace(/0+$/, "");
  return significant.length > digits ? undefined : BigInt(whole + significant.padEnd(digits, "0"));
}
