/** One of the ways to do the same thing. Answers how long it took, in milliseconds, or is timed from outside. */
export type Contender = { name: string; run: () => unknown | Promise<unknown> };

export type Row = { name: string; medianMs: number; ratio: number };

/**
 * Run all contenders in turn, A B C A B C …, after one round that does not count, and compare their medians with the first
 * one's: a machine that slows down half-way slows all of them down.
 */
export async function interleaved(contenders: readonly Contender[], rounds: number): Promise<Row[]> {
  const times = new Map(contenders.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round++)
    for (const { name, run } of contenders) {
      const started = performance.now();
      const own = await run();
      const ms = typeof own === "number" ? own : performance.now() - started;
      if (round > 0) times.get(name)?.push(ms);
    }
  const base = median(times.get(contenders[0]?.name ?? "") ?? []);
  return [...times].map(([name, list]) => ({ name, medianMs: median(list), ratio: median(list) / base }));
}

/** The middle of these numbers. */
export function median(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** A table for RESULTS.md. */
export function table(title: string, rows: readonly Row[]): string {
  const lines = rows.map(
    ({ name, medianMs, ratio }) => `| ${name} | ${figure(medianMs)} | ${figure(ratio)} |`,
  );
  return [`### ${title}`, "", "| way | median ms | ratio |", "|---|---|---|", ...lines, ""].join("\n");
}

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toPrecision(2);
}
