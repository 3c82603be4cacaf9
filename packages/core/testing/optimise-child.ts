import { readFileSync } from "node:fs";
import { optimise } from "../avatar/image.ts";

/** What the pipeline did in a process of its own. */
export type Report = {
  /** The size of each result in bytes, or the code of the fault. */
  results: (number | string)[];
  peakMiB: number;
  /** Bytes that this process wrote anywhere while pictures were optimised; -1 where there is no /proc. */
  bytesWritten: number;
};

// `node optimise-child.ts in-a-row|at-once|spilling FILE…` prints a Report as JSON.
const [mode, ...paths] = process.argv.slice(2);
// The control: libvips may use its temporary files after all, and from the first kilobyte on.
if (mode === "spilling") process.env.VIPS_DISC_THRESHOLD = "1k";

const before = written();
const results: Report["results"] = [];
if (mode === "at-once") results.push(...(await Promise.all(paths.map(outcome))));
else for (const path of paths) results.push(await outcome(path));
const bytesWritten = before < 0 ? -1 : written() - before;
const peakMiB = process.resourceUsage().maxRSS / 1024;
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
