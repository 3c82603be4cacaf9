import { data } from "currency-codes";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fault } from "../base/fault.ts";
import * as Currency from "./currency.ts";
import * as Money from "./money.ts";
import * as Rational from "./rational.ts";
import { snapshot } from "./snapshot.ts";

const code = fc.constantFrom(...Currency.codes);
const minor = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });

describe("Currency", () => {
  test("supports at least 45 currencies, each with a rate in the snapshot", () => {
    expect(Currency.codes.length).toBeGreaterThanOrEqual(45);
    expect(Currency.codes).toEqual(expect.arrayContaining(["EUR", "USD", "GBP"]));
    const documents = Object.values(snapshot).flat();
    for (const code of Currency.codes) expect(documents.some(({ values }) => values.has(code))).toBe(true);
  });

  test("gives every currency the numeric code and minor units of ISO 4217", () => {
    const iso = new Map(data.map((entry) => [entry.code, entry]));
    for (const code of [...Currency.codes, "BGN"]) {
      const { numericCode, minorUnits } = Currency.describe(code);
      expect([code, numericCode, minorUnits]).toEqual([code, iso.get(code)?.number, iso.get(code)?.digits]);
    }
    expect(["HUF", "JPY", "KWD"].map(Currency.minorUnits)).toEqual([2, 0, 3]);
  });

  test("describes a currency with its name and symbol", () => {
    expect(Currency.describe("GBP")).toMatchObject({ name: "British Pound", symbol: "£" });
    for (const code of Currency.codes) expect(Currency.describe(code).name).not.toBe(code);
  });

  test("knows the currencies that the euro replaced but does not list them", () => {
    expect(["BGN", "HRK"].map((code) => [Currency.isKnown(code), Currency.isListed(code)])).toEqual([
      [true, false],
      [true, false],
    ]);
    expect(Currency.fixedPerEuro("BGN")).toBe("1.95583");
  });

  test.each(["XXX", "usd", "", "toString", "__proto__", "constructor"])(
    "rejects %j as a currency",
    (code) => {
      expect(Currency.isKnown(code)).toBe(false);
      expect(() => Currency.describe(code)).toThrow();
      expect(() => Currency.requireSupported(code, { parameter: "currency" })).toThrow(
        expect.objectContaining({
          code: "currency_unsupported",
          details: { errors: [expect.objectContaining({ parameter: "currency" })] },
        }),
      );
    },
  );
});

describe("Money", () => {
  test.each([
    [1250n, "EUR", "12.50"],
    [1250n, "JPY", "1250"],
    [1250n, "KWD", "1.250"],
    [-5n, "EUR", "-0.05"],
    [0n, "KWD", "0.000"],
  ])("formats %s minor units of %s as %s", (minor, currency, amount) =>
    expect(Money.view({ minor, currency })).toEqual({ amount, currency }),
  );

  test("parses every formatted amount to the same money", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 14n }), code, (minor, currency) => {
        const { amount } = Money.view({ minor, currency });
        expect(Money.parse(amount, currency, "/amount")).toEqual({ minor, currency });
      }),
    );
  });

  test("rejects more decimal places than the currency has, but accepts trailing zeros", () => {
    expect(Money.parse("12.500", "EUR", "/amount").minor).toBe(1250n);
    expect(Money.parse("12.0", "JPY", "/amount").minor).toBe(12n);
    for (const [amount, currency] of [
      ["0.5", "JPY"],
      ["1.001", "EUR"],
      ["1.0001", "KWD"],
    ] as const)
      expect(() => Money.parse(amount, currency, "/hourlyRate")).toThrow(Fault);
  });
});

test("Money.exchanged returns the exact product, rounded once to the minor unit", () => {
  const rate = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 20n }), fc.bigInt({ min: 1n, max: 10n ** 20n }));
  fc.assert(
    fc.property(minor, code, code, rate, (minor, from, to, [n, d]) => {
      const { minor: got } = Money.exchanged({ minor, currency: from }, to, { n, d });
      // exact = minor / 10^from * n / d * 10^to. The result differs from it by at most half a unit.
      const [top, bottom] = [
        minor * n * 10n ** BigInt(Currency.minorUnits(to)),
        d * 10n ** BigInt(Currency.minorUnits(from)),
      ];
      const off = 2n * (got * bottom - top);
      expect(off <= bottom && -off <= bottom).toBe(true);
      if (off === bottom || -off === bottom) expect(got % 2n).toBe(0n);
    }),
  );
});

test("Money.exchanged at a rate of 1 changes only the number of decimal places", () => {
  expect(Money.exchanged({ minor: 1250n, currency: "EUR" }, "KWD", Rational.one)).toEqual({
    minor: 12_500n,
    currency: "KWD",
  });
});
