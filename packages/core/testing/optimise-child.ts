import { readFileSync } from "node:fs";
import { optimise } from "../avatar/image.ts";
import { peakMemoryMiB } from "./peak-memory.ts";

/** The result of a child process that optimized images. */
export type Report = {
  /** The size of each result in bytes, or the fault's code. */
  results: (number | string)[];
  peakMiB: number;
  /** Bytes that the process wrote while optimizing; -1 without /proc. */
  bytesWritten: number;
};

// `node optimise-child.ts in-a-row|at-once|spilling FILE…` prints a Report as JSON.
const [mode, ...paths] = process.argv.slice(2);
// As a control, this mode makes libvips use temporary files from 1 kB.
if (mode === "spilling") process.env.VIPS_DISC_THRESHOLD = "1k";

const before = written();
const results: Report["results"] = [];
if (mode === "at-once") results.push(...(await Promise.all(paths.map(outcome))));
else for (const path of paths) results.push(await outcome(path));
const bytesWritten = before < 0 ? -1 : written() - before;
const peakMiB = peakMemoryMiB();
process.stdout.write(JSON.stringify({ results, peakMiB, bytesWritten } satisfies Report));

function outcome(path: string): Promise<number | string> {
  return optimise(readFileSync(path)).then(
    ({ optimizedSize }) => optimizedSize,
    ({ code }) => code,
  );
}

function written(): number {
  if (process.platform !== "linux") return -1;
  return Number(/^wchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "latin1"))?.[1]);
}
