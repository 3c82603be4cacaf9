import { readFile, writeFile } from "node:fs/promises";
import type { Need } from "@svc/core/config/config";

/** What became of one function. */
export type Checked = {
  /** Its key in routes.ts or jobs.ts. */
  key: string;
  /** Its folder, relative to the repository. */
  bundle: string;
  needs: readonly Need[];
  zipBytes: number;
  /** One for each time that it was booted. */
  initMs: number[];
  /** What it answered, in the order of the calls. */
  answers: string[];
  /** Why it is not as it should be. */
  problem?: string;
};

/** The table of all functions, in Markdown. */
export function report(checked: readonly Checked[]): string {
  const good = checked.filter(({ problem }) => !problem);
  const times = good.map(init).toSorted((a, b) => a - b);
  const rows = checked.map(({ key, zipBytes, problem, answers, ...one }) => {
    const size = zipBytes > 0 ? Math.ceil(zipBytes / 1000) : "";
    return `| ${key} | ${size} | ${one.initMs.length > 0 ? init(one).toFixed(0) : ""} | ${
      problem ? `**${problem.split("\n")[0]}**` : answers.join(", ")
    } |`;
  });
  return [
    `${good.length} of ${checked.length} functions boot under Node ${process.version} and aws-lambda-ric, and answer. Median init ${(times[Math.floor(times.length / 2)] ?? 0).toFixed(0)} ms, the slowest ${(times.at(-1) ?? 0).toFixed(0)} ms.`,
    "",
    "| function | zip kB | init ms | answers |",
    "|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

/** The shorter of the boots: the longer one met a cold disk or a busy machine. */
function init({ initMs }: { initMs: readonly number[] }): number {
  return Math.min(...initMs);
}

const results = new URL("../bench/RESULTS.md", import.meta.url);

/** Put the table between its two marks in RESULTS.md. */
export async function write(table: string): Promise<void> {
  const text = await readFile(results, "utf8");
  const [begin, end] = ["<!-- check:lambda begin -->", "<!-- check:lambda end -->"];
  const [before, after] = [text.indexOf(begin), text.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`RESULTS.md has lost its marks ${begin} and ${end}.`);
  await writeFile(results, `${text.slice(0, before)}${begin}\n${table}${text.slice(after)}`);
}
