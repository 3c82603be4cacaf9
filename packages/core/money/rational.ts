/** An exact fraction. `d` is positive; the two need not be coprime. */
export type Rational = { n: bigint; d: bigint };

export const one: Rational = { n: 1n, d: 1n };

const decimalForm = /^(-?)(\d+)(?:\.(\d+))?$/;

/** The exact value of a plain decimal such as `-12.50`. Throws on anything else, exponents and commas too. */
export function parse(text: string): Rational {
  const [, sign, whole, fraction = ""] = decimalForm.exec(text) ?? [];
  if (whole === undefined) throw new Error("Not a plain decimal number.");
  const n = BigInt(whole + fraction);
  return { n: sign ? -n : n, d: 10n ** BigInt(fraction.length) };
}

export function times(a: Rational, b: Rational): Rational {
  return { n: a.n * b.n, d: a.d * b.d };
}

/** Throws a RangeError when `b` is zero. */
export function over(a: Rational, b: Rational): Rational {
  if (b.n === 0n) throw new RangeError("Division by zero.");
  const sign = b.n < 0n ? -1n : 1n;
  return { n: sign * a.n * b.d, d: sign * a.d * b.n };
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`. */
export function compare(a: Rational, b: Rational): number {
  const difference = a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The nearest whole number; of two that are equally near, the even one (IEEE 754 roundTiesToEven). */
export function rounded({ n, d }: Rational): bigint {
  const magnitude = n < 0n ? -n : n;
  const floor = magnitude / d;
  const twice = 2n * (magnitude % d);
  const up = twice > d || (twice === d && floor % 2n === 1n);
  const nearest = up ? floor + 1n : floor;
  return n < 0n ? -nearest : nearest;
}

/** A decimal with exactly so many places, rounded half-even. */
export function toPlaces({ n, d }: Rational, places: number): string {
  return placed(rounded({ n: n * 10n ** BigInt(places), d }), places);
}

/** A decimal with at least so many significant digits, rounded half-even, without zeros at its end. */
export function toDigits(value: Rational, digits: number): string {
  const text = toPlaces(value, Math.max(0, digits - wholeDigits(value)));
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** How a whole number of units of 10^-places is written. */
export function placed(units: bigint, places: number): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  const sign = units < 0n ? "-" : "";
  return places === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-places)}`;
}

/** Digits in front of the point; below one, minus the zeros behind it. */
function wholeDigits({ n, d }: Rational): number {
  const magnitude = n < 0n ? -n : n;
  if (magnitude === 0n) return 1;
  const guess = String(magnitude).length - String(d).length;
  const reached = guess < 0 ? magnitude * 10n ** BigInt(-guess) >= d : magnitude >= d * 10n ** BigInt(guess);
  return reached ? guess + 1 : guess;
}
