/** Steps of an axis, times a power of ten. */
const steps = [1, 2, 5];

/** The most lines above zero. */
const most = 4;

/**
 * Returns the values that an axis from zero to `highest` labels, at round distances, and the value at its top, which leaves
 * room for a label above the highest bar.
 */
export function axisOf(highest: number): { ticks: number[]; top: number } {
  if (highest <= 0) return { ticks: [0], top: 1 };
  let step = 0;
  for (let power = 10 ** Math.floor(Math.log10(highest) - 1); step === 0; power *= 10)
    step = steps.map((one) => one * power).find((one) => highest / one <= most) ?? 0;
  const count = Math.floor(highest / step + 1e-9);
  return { ticks: Array.from({ length: count + 1 }, (_, at) => at * step), top: highest * 1.12 };
}
