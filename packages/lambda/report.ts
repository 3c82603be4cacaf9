import { readFile, writeFile } from "node:fs/promises";
import { allowedLargePackages } from "@svc/bundle/rules";
import type { Need } from "@svc/core/platform/config/config";

/** The result of checking one function. */
export type Checked = {
  /** Its key in routes.ts or jobs.ts. */
  key: string;
  /** Its folder, relative to the repository. */
  bundle: string;
  needs: readonly Need[];
  /** Size of the minified index.mjs. */
  bytes: number;
  zipBytes: number;
  sharp: boolean;
  /** The init duration of each boot. */
  initMs: number[];
  /** The results of the calls, in order. */
  answers: string[];
  /** The reason why the check failed. */
  problem?: string;
};

/** Returns the table of all functions in Markdown. `emptyMs` are the init durations of empty functions in the same run. */
export function report(checked: readonly Checked[], emptyMs: readonly number[]): string {
  const good = checked.filter(({ problem }) => !problem);
  const times = good.map(init);
  const rows = checked.map((one) => {
    const because = [...allowedLargePackages(one.needs), ...(one.sharp ? ["sharp"] : [])].join(", ");
    const outcome = one.problem ? `**${one.problem.split("\n")[0]}**` : one.answers.join(", ");
    const ms = one.initMs.length > 0 ? init(one).toFixed(0) : "";
    return `| ${one.key} | ${kB(one.bytes)} | ${kB(one.zipBytes)} | ${because} | ${ms} | ${outcome} |`;
  });
  return [
    `${good.length} of ${checked.length} functions boot with Node ${process.version} and aws-lambda-ric and respond. The median init duration is ${median(times).toFixed(0)} ms, the slowest ${Math.max(...times).toFixed(0)} ms, and that of an empty function in the same run ${median(emptyMs).toFixed(0)} ms.`,
    "",
    "| function | kB | zip kB | large packages | init ms | results |",
    "|---|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
}

function kB(bytes: number): string {
  return Math.ceil(bytes / 1000).toString();
}

/** Returns the shorter init duration. The longer one includes a cold disk or a busy machine. */
function init({ initMs }: { initMs: readonly number[] }): number {
  return Math.min(...initMs);
}

const results = new URL("../bench/RESULTS.md", import.meta.url);

/** Writes the table between its two markers in RESULTS.md. */
export async function write(table: string): Promise<void> {
  const text = await readFile(results, "utf8");
  const [begin, end] = ["<!-- check:lambda begin -->", "<!-- check:lambda end -->"];
  const [before, after] = [text.indexOf(begin), text.indexOf(end)];
  if (before < 0 || after < before)
    throw new Error(`RESULTS.md must contain the markers ${begin} and ${end}.`);
  await writeFile(results, `${text.slice(0, before)}${begin}\n${table}${text.slice(after)}`);
}
