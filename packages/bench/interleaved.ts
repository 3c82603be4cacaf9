/** One of the compared implementations. If `run` returns a number, that is its time in milliseconds; otherwise it is timed. */
export type Contender = { name: string; run: () => unknown | Promise<unknown> };

/** The result of a contender. `ratio` is relative to the first contender. */
export type Comparison = { name: string; medianMs: number; ratio: number };

/**
 * Runs all contenders in turn (A B C A B C …) and compares their medians with the first one. Taking turns spreads a
 * slowdown of the machine over all of them. The first round is a warm-up and is not counted.
 */
export async function interleaved(contenders: readonly Contender[], rounds: number): Promise<Comparison[]> {
  const times = new Map(contenders.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round++)
    for (const { name, run } of contenders) {
      const started = performance.now();
      const reported = await run();
      const ms = typeof reported === "number" ? reported : performance.now() - started;
      if (round > 0) times.get(name)?.push(ms);
    }
  const base = median(times.get(contenders[0]?.name ?? "") ?? []);
  return [...times].map(([name, list]) => ({ name, medianMs: median(list), ratio: median(list) / base }));
}

/** Returns the median of a list, or NaN if it is empty. */
export function median(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Formats a comparison as a Markdown table for RESULTS.md. */
export function table(title: string, rows: readonly Comparison[]): string {
  const lines = rows.map(
    ({ name, medianMs, ratio }) => `| ${name} | ${figure(medianMs)} | ${figure(ratio)} |`,
  );
  return [`### ${title}`, "", "| variant | median ms | ratio |", "|---|---|---|", ...lines, ""].join("\n");
}

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toPrecision(2);
}
