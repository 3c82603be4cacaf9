import { readFile, writeFile } from "node:fs/promises";
import { reasons } from "@svc/bundle/rules";
import type { Need } from "@svc/core/platform/config/config";

/** What became of one function. */
export type Checked = {
  /** Its key in routes.ts or jobs.ts. */
  key: string;
  /** Its folder, relative to the repository. */
  bundle: string;
  needs: readonly Need[];
  /** Of index.mjs, minified. */
  bytes: number;
  zipBytes: number;
  sharp: boolean;
  /** One for each time that it was booted. */
  initMs: number[];
  /** What it answered, in the order of the calls. */
  answers: string[];
  /** Why it is not as it should be. */
  problem?: string;
};

/** The table of all functions, in Markdown. `emptyMs`: what functions took that do nothing, booted in the same run. */
export function report(checked: readonly Checked[], emptyMs: readonly number[]): string {
  const good = checked.filter(({ problem }) => !problem);
  const times = good.map(init);
  const rows = checked.map((one) => {
    const because = [...reasons(one.needs), ...(one.sharp ? ["sharp"] : [])].join(", ");
    const outcome = one.problem ? `**${one.problem.split("\n")[0]}**` : one.answers.join(", ");
    const ms = one.initMs.length > 0 ? init(one).toFixed(0) : "";
    return `| ${one.key} | ${kB(one.bytes)} | ${kB(one.zipBytes)} | ${because} | ${ms} | ${outcome} |`;
  });
  return [
    `${good.length} of ${checked.length} functions boot under Node ${process.version} and aws-lambda-ric, and answer. Median init ${median(times).toFixed(0)} ms, the slowest ${Math.max(...times).toFixed(0)} ms; a function that does nothing ${median(emptyMs).toFixed(0)} ms in the same run.`,
    "",
    "| function | kB | zip kB | larger because of | init ms | answers |",
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
