/** Cases that `cost` and `costSql` must both compute: seconds, hourly rate and cost, both in minor units. */
export const amountCases: readonly (readonly [seconds: number, hourlyRate: bigint, cost: bigint])[] = [
  [3600, 8000n, 8000n],
  [3600, 10_000n, 10_000n],
  // An entry of no length, and a rate of zero.
  [0, 8000n, 0n],
  [3600, 0n, 0n],
  [1, 8000n, 2n],
  [20, 100n, 1n],
  // Exact ties go to the even neighbour.
  [1800, 1n, 0n],
  [1800, 3n, 2n],
  [1800, 5n, 2n],
  [5400, 1n, 2n],
  [1801, 1n, 1n],
  [1799, 1n, 0n],
  [31_622_400, 9_999_999_999_999n, 87_839_999_999_991_216n],
];
