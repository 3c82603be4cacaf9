/** An exact fraction. `d` is positive. The fraction need not be in lowest terms. */
export type Rational = { n: bigint; d: bigint };

export const one: Rational = { n: 1n, d: 1n };

const decimalForm = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Parses a plain decimal such as `-12.50` exactly. Throws for anything else, including exponents and commas. */
export function parse(text: string): Rational {
  const [, sign, whole, fraction = ""] = decimalForm.exec(text) ?? [];
  if (whole === undefined) throw new Error("Value must be a plain decimal number.");
  const n = BigInt(whole + fraction);
  return { n: sign ? -n : n, d: 10n ** BigInt(fraction.length) };
}

export function times(a: Rational, b: Rational): Rational {
  return { n: a.n * b.n, d: a.d * b.d };
}

/** Divides `a` by `b`. Throws a RangeError when `b` is zero. */
export function over(a: Rational, b: Rational): Rational {
  if (b.n === 0n) throw new RangeError("Division by zero.");
  const sign = b.n < 0n ? -1n : 1n;
  return { n: sign * a.n * b.d, d: sign * a.d * b.n };
}

/** Returns a negative number, zero or a positive number when `a` is less than, equal to or greater than `b`. */
export function compare(a: Rational, b: Rational): number {
  const difference = a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/**
 * Rounds to the nearest whole number; a tie goes to the even neighbour (IEEE 754 roundTiesToEven). Every amount of money is
 * rounded with this rule, exactly once. `roundHalfEvenSql` is the same rule in SQL, and both are tested with one table of
 * cases.
 */
export function roundHalfEven({ n, d }: Rational): bigint {
  const magnitude = n < 0n ? -n : n;
  const floor = magnitude / d;
  const twice = 2n * (magnitude % d);
  const up = twice > d || (twice === d && floor % 2n === 1n);
  const nearest = up ? floor + 1n : floor;
  return n < 0n ? -nearest : nearest;
}

/** Formats a fraction with exactly `places` decimal places, rounded half to even. */
export function toPlaces({ n, d }: Rational, places: number): string {
  return formatUnits(roundHalfEven({ n: n * 10n ** BigInt(places), d }), places);
}

/** Formats a fraction with at least `digits` significant digits, rounded half to even, without trailing zeros. */
export function toDigits(value: Rational, digits: number): string {
  const text = toPlaces(value, Math.max(0, digits - wholeDigits(value)));
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** Formats a whole number of units of 10^-places as a decimal. */
export function formatUnits(units: bigint, places: number): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  const sign = units < 0n ? "-" : "";
  return places === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-places)}`;
}

/** Counts the digits before the decimal point. For values below one, returns minus the number of zeros after it. */
function wholeDigits({ n, d }: Rational): number {
  const magnitude = n < 0n ? -n : n;
  if (magnitude === 0n) return 1;
  const guess = String(magnitude).length - String(d).length;
  const reached = guess < 0 ? magnitude * 10n ** BigInt(-guess) >= d : magnitude >= d * 10n ** BigInt(guess);
  return reached ? guess + 1 : guess;
}
