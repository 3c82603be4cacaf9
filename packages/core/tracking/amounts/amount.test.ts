import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amountCases } from "./amount.cases.ts";
import { cost } from "./amount.ts";

describe("cost", () => {
  test.each(amountCases)("of %i seconds at an hourly rate of %i is %i", (seconds, rate, expected) => {
    expect(cost(seconds, rate)).toBe(expected);
  });

  test("differs from the exact amount by at most half a minor unit", () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.bigInt(0n, 10n ** 13n), (seconds, rate) => {
        const off = cost(seconds, rate) * 3600n - BigInt(seconds) * rate;
        expect((off < 0n ? -off : off) <= 1800n).toBe(true);
        if (off === 1800n || off === -1800n) expect(cost(seconds, rate) % 2n).toBe(0n);
      }),
    );
  });
});
