import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { halfEvenCases } from "./half-even.cases.ts";
import * as Rational from "./rational.ts";

const { parse, roundHalfEven, toDigits, toPlaces } = Rational;

/** An independent implementation that compares the distances to both neighbours. */
function nearestEven(n: bigint, d: bigint): bigint {
  let low = n / d;
  if (low * d > n) low -= 1n;
  const [below, above] = [n - low * d, (low + 1n) * d - n];
  if (below === above) return low % 2n === 0n ? low : low + 1n;
  return below < above ? low : low + 1n;
}

const natural = fc.bigInt({ min: 1n, max: 10n ** 30n });
const integer = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const decimal = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.stringMatching(/^\d{0,12}$/))
  .map(([minus, whole, fraction]) => `${minus ? "-" : ""}${whole}${fraction && `.${fraction}`}`);

describe("roundHalfEven", () => {
  test.each(halfEvenCases)("rounds the shared case %i/%i to %i", (n, d, expected) =>
    expect(roundHalfEven({ n, d })).toBe(expected),
  );

  test.each([
    ["0.5", 0n],
    ["1.5", 2n],
    ["2.5", 2n],
    ["-0.5", 0n],
    ["-1.5", -2n],
    ["-2.5", -2n],
    ["2.4999999999999999999", 2n],
    ["2.5000000000000000001", 3n],
    ["-2.5000000000000000001", -3n],
    ["7", 7n],
  ])("rounds %s to %s", (text, whole) => expect(roundHalfEven(parse(text))).toBe(whole));

  test("returns the nearest whole number, or the even one of two, for any fraction", () => {
    fc.assert(
      fc.property(integer, natural, (n, d) => {
        expect(roundHalfEven({ n, d })).toBe(nearestEven(n, d));
      }),
    );
  });

  test("returns an even number for every tie", () => {
    fc.assert(
      fc.property(integer, natural, (n, d) => {
        const half = { n: (2n * n + 1n) * d, d: 2n * d };
        expect(roundHalfEven(half) % 2n).toBe(0n);
      }),
    );
  });
});

test("over undoes times, for positive and negative factors", () => {
  fc.assert(
    fc.property(integer, natural, integer.filter(Boolean), natural, (a, b, c, d) => {
      const [x, y] = [
        { n: a, d: b },
        { n: c, d },
      ];
      const back = Rational.over(Rational.times(x, y), y);
      expect(Rational.compare(back, x)).toBe(0);
      expect(back.d > 0n).toBe(true);
    }),
  );
});

test("over throws a RangeError for a division by zero", () => {
  expect(() => Rational.over(Rational.one, parse("0.00"))).toThrow(RangeError);
});

test("toPlaces formats a parsed decimal unchanged", () => {
  fc.assert(
    fc.property(decimal, (text) => {
      const places = text.split(".")[1]?.length ?? 0;
      const negativeZero = /^-[0.]*$/.test(text);
      expect(toPlaces(parse(text), places)).toBe(negativeZero ? text.slice(1) : text);
    }),
  );
});

test.each(["", "1,5", "1e3", ".5", "5.", "NaN", "0x10", " 1", "1 ", "--1", "+1", "١"])(
  "parse throws for %j, which is not a plain decimal",
  (text) => expect(() => parse(text)).toThrow("plain decimal"),
);

test.each([
  ["1", "3", 15, "0.333333333333333"],
  ["2", "3", 15, "0.666666666666667"],
  ["1", "30000", 15, "0.0000333333333333333"],
  ["100", "1", 15, "100"],
  ["1000", "7", 12, "142.857142857"],
  ["1", "8", 15, "0.125"],
  ["0", "7", 15, "0"],
  ["123456789012345678", "1", 12, "123456789012345678"],
  ["-1", "3", 4, "-0.3333"],
])("toDigits formats %s/%s with %i digits as %s", (n, d, digits, text) =>
  expect(toDigits(Rational.over(parse(n), parse(d)), digits)).toBe(text),
);

test("toDigits is within half a unit of the last significant digit", () => {
  fc.assert(
    fc.property(natural, natural, (n, d) => {
      const text = toDigits({ n, d }, 15);
      const [off, exact] = [Rational.over(parse(text), { n, d }), 10n ** 14n];
      const difference = off.n > off.d ? off.n - off.d : off.d - off.n;
      expect(difference * 2n * exact <= off.d + off.d / 10n ** 13n).toBe(true);
    }),
  );
});
