/** Whether this is `npm run test:long`, which tries every case instead of a sample. */
export const long = process.env.TEST_LONG === "1";

/**
 * Returns all cases in a long run, and otherwise `size` of them, in order. The choice depends on TEST_SEED (1 by default), so
 * that a failure can be repeated.
 */
export function sample<T>(cases: readonly T[], size: number): T[] {
  if (long) return [...cases];
  const random = generator(Number(process.env.TEST_SEED ?? 1));
  const chosen = new Set(
    cases
      .map((_, index) => ({ index, key: random() }))
      .sort((one, other) => one.key - other.key)
      .slice(0, size)
      .map(({ index }) => index),
  );
  return cases.filter((_, index) => chosen.has(index));
}

/** Mulberry32: numbers from 0 to 1 that are the same for the same seed. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
