import fc from "fast-check";
import { expect, test } from "vitest";
import { cost, demandCurrency, fromDecimal, minorUnits, toDecimal } from "./amount.ts";

test.each([
  // seconds, hourly rate, cost: what is exactly half goes to the even neighbour.
  [3600, 8000n, 8000n],
  [0, 8000n, 0n],
  [1, 8000n, 2n],
  [1800, 1n, 0n],
  [1800, 3n, 2n],
  [1800, 5n, 2n],
  [5400, 1n, 2n],
  [1801, 1n, 1n],
  [1799, 1n, 0n],
  [31_622_400, 9_999_999_999_999n, 87_839_999_999_991_216n],
])("%i seconds at %i an hour cost %i", (seconds, rate, expected) => {
  expect(cost(seconds, rate)).toBe(expected);
});

test("a cost is never further from the exact one than half a minor unit", () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), fc.bigInt(0n, 10n ** 13n), (seconds, rate) => {
      const off = cost(seconds, rate) * 3600n - BigInt(seconds) * rate;
      expect((off < 0n ? -off : off) <= 1800n).toBe(true);
      if (off === 1800n || off === -1800n) expect(cost(seconds, rate) % 2n).toBe(0n);
    }),
  );
});

test.each([
  ["EUR", 2],
  ["HUF", 2],
  ["RSD", 2],
  ["JPY", 0],
  ["KWD", 3],
  ["CLF", 4],
])("%s has %i minor digits", (currency, expected) => {
  expect(minorUnits(currency)).toBe(expected);
});

test.each([
  ["12.5", 2, 1250n],
  ["12.50", 2, 1250n],
  ["0", 2, 0n],
  ["0.05", 2, 5n],
  ["80.000", 0, 80n],
  ["1.005", 2, undefined],
  ["0.1", 0, undefined],
])("%s with %i digits is %s", (decimal, digits, minor) => {
  expect(fromDecimal(decimal, digits)).toBe(minor);
});

test("a decimal string and its minor units are each other's inverse", () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 18n), fc.constantFrom(0, 2, 3, 4), (minor, digits) => {
      expect(fromDecimal(toDecimal(minor, digits), digits)).toBe(minor);
    }),
  );
});

test.each(["", "eur", "EURO", "E1R", "€"])("%j is no currency", (code) => {
  expect(() => demandCurrency(code, { parameter: "currency" })).toThrow(
    expect.objectContaining({
      code: "currency_unsupported",
      details: { errors: [expect.objectContaining({ parameter: "currency" })] },
    }),
  );
});
