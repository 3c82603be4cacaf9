import { data } from "currency-codes";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDays } from "../base/day.ts";
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
    expect(Currency.describe("HRK")).toMatchObject({ numericCode: "191", minorUnits: 2 });
  });

  test.each([
    [
      "2866/98",
      "1999-01-01",
      { BEF: "40.3399", DEM: "1.95583", ESP: "166.386", FRF: "6.55957", IEP: "0.787564" },
    ],
    [
      "2866/98",
      "1999-01-01",
      { ITL: "1936.27", LUF: "40.3399", NLG: "2.20371", ATS: "13.7603", PTE: "200.482" },
    ],
    ["2866/98", "1999-01-01", { FIM: "5.94573" }],
    ["1478/2000", "2001-01-01", { GRD: "340.750" }],
    ["1086/2006", "2007-01-01", { SIT: "239.640" }],
    ["1135/2007", "2008-01-01", { CYP: "0.585274" }],
    ["1134/2007", "2008-01-01", { MTL: "0.429300" }],
    ["694/2008", "2009-01-01", { SKK: "30.1260" }],
    ["671/2010", "2011-01-01", { EEK: "15.6466" }],
    ["870/2013", "2014-01-01", { LVL: "0.702804" }],
    ["851/2014", "2015-01-01", { LTL: "3.45280" }],
    ["2022/1208", "2023-01-01", { HRK: "7.53450" }],
    ["2025/1409", "2026-01-01", { BGN: "1.95583" }],
  ])("has the conversion rates that Regulation %s set from %s", (_, from, rates) => {
    for (const [code, rate] of Object.entries(rates)) {
      // Conversion rates have six significant figures: Regulation (EC) 1103/97, Article 4.
      expect(rate.replace(".", "").replace(/^0+/, "")).toHaveLength(6);
      expect([code, Currency.fixedPerEuro(code)]).toEqual([code, rate]);
      // The first members and Greece kept their currencies as units of the euro until the end of 2001.
      const lastDay = from < "2002-01-01" ? "2001-12-31" : addDays(from, -1);
      expect(Currency.describe(code)).toMatchObject({ replacedBy: "EUR", lastDay });
    }
  });

  test("knows exactly 21 currencies that the euro replaced", () => {
    expect(Currency.knownCodes).toHaveLength(Currency.codes.length + 21);
  });

  test("requireSupported accepts listed currencies, and retired ones only where they are allowed", () => {
    const source = { parameter: "currency" };
    expect(() => Currency.requireSupported("EUR", source)).not.toThrow();
    expect(() => Currency.requireSupported("BGN", source)).toThrow();
    expect(() => Currency.requireSupported("BGN", source, Currency.isKnown)).not.toThrow();
  });

  test.each(["XXX", "usd", "", "toString", "__proto__", "constructor"])(
    "rejects %j as a currency",
    (code) => {
      expect(Currency.isKnown(code)).toBe(false);
      expect(() => Currency.describe(code)).toThrow("Unknown currency");
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
    for (const [amount, currency, detail] of [
      ["0.5", "JPY", "JPY amounts cannot have decimal places."],
      ["1.001", "EUR", "EUR amounts can have at most 2 decimal places."],
      ["1.0001", "KWD", "KWD amounts can have at most 3 decimal places."],
    ] as const)
      expect(() => Money.parse(amount, currency, "/hourlyRate")).toThrow(
        expect.objectContaining({
          code: "amount_too_precise",
          details: { errors: [{ pointer: "/hourlyRate", code: "amount_too_precise", detail }] },
        }),
      );
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
