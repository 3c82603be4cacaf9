/** An exact fraction with a positive denominator. */
export type Fraction = readonly [over: bigint, under: bigint];

export const one: Fraction = [1n, 1n];

/** Parses a positive decimal such as `0.5853`. */
export function fraction(text: string): Fraction {
  const [whole = "", rest = ""] = text.split(".");
  return [BigInt(whole + rest), 10n ** BigInt(rest.length)];
}

export const product = (a: Fraction, b: Fraction): Fraction => [a[0] * b[0], a[1] * b[1]];
export const quotient = (a: Fraction, b: Fraction): Fraction => [a[0] * b[1], a[1] * b[0]];

/** Rounds a fraction that is not negative by comparing it with the numbers below and above, and a tie to the even one. */
export function nearest([over, under]: Fraction): bigint {
  const below = over / under;
  const [down, up] = [over - below * under, (below + 1n) * under - over];
  if (down === up) return below % 2n === 0n ? below : below + 1n;
  return down < up ? below : below + 1n;
}

/** Writes whole units of 10^-places. */
export function decimal(units: bigint, places: number): string {
  const text = String(units).padStart(places + 1, "0");
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
}

/** Writes a fraction with fifteen significant digits, without zeros at the end. */
export function fifteenDigits(value: Fraction): string {
  let [places, text] = [0, String(nearest(value))];
  const digits = () => text.replace(".", "").replace(/^0+/, "").length;
  while (digits() < 15) text = decimal(nearest(product(value, [10n ** BigInt(++places), 1n])), places);
  return text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
}
