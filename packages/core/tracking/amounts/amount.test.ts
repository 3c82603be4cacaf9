import fc from "fast-check";
import { expect, test } from "vitest";
import { cost } from "./amount.ts";

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
