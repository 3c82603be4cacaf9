import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bundle, root } from "../bundle/bundle.ts";
import { bundleName, units } from "../bundle/units.ts";
import { ordinary } from "./cold/ordinary.ts";
import { interleaved } from "./interleaved.ts";

/** What is promised of two handlers, and measured with more rounds. */
const promised = [
  { handler: "auth/me", atMost: 0.35 },
  { handler: "upload/avatar", atMost: 0.6 },
];
const rounds = { promised: 41, others: 7 };

/** Import time and size of every bundle, against the same handler built the ordinary way, each in a fresh process. */
export async function coldStart(): Promise<string> {
  const outdir = join(root, "node_modules", ".cache", "svc-cold");
  const all = units();
  const own = await bundle(all, join(outdir, "own"));
  const theirs = await ordinary(all, join(outdir, "ordinary"));
  const lines: string[] = [];
  const verdicts: string[] = [];
  for (const { name, dir, bytes } of own) {
    const promise = promised.find(({ handler }) => bundleName(handler) === name);
    const [svc, usual] = await interleaved(
      [
        { name: "svc", run: () => importMs(join(dir, "index.mjs")) },
        { name: "ordinary", run: () => importMs(join(outdir, "ordinary", name, "index.mjs")) },
      ],
      promise ? rounds.promised : rounds.others,
    );
    if (!svc || !usual) throw new Error("a contender is missing");
    const usualBytes = theirs.get(name) ?? Number.NaN;
    const ratio = svc.medianMs / usual.medianMs;
    lines.push(
      `| ${name} | ${kB(bytes)} | ${kB(usualBytes)} | ${svc.medianMs.toFixed(1)} | ${usual.medianMs.toFixed(1)} | ${ratio.toFixed(2)} |`,
    );
    if (promise)
      verdicts.push(
        `${name}: ${ratio.toFixed(2)} of the ordinary build, promised at most ${promise.atMost}: ${ratio <= promise.atMost ? "kept" : "BROKEN"}.`,
      );
  }
  await rm(outdir, { recursive: true });
  return [
    `### Import of each bundle in a fresh process, against the ordinary build (medians of ${rounds.others}; of ${rounds.promised} where promised)`,
    "",
    "| bundle | kB | kB, ordinary | ms | ms, ordinary | ratio |",
    "|---|---|---|---|---|---|",
    ...lines,
    "",
    ...verdicts,
    "",
  ].join("\n");
}

async function importMs(index: string): Promise<number> {
  const program = fileURLToPath(new URL("cold/import.ts", import.meta.url));
  // Never connected to: a bundle only wants to know that there is one.
  const env = { ...process.env, DATABASE_URL: "postgres://127.0.0.1:1/none" };
  const { stdout } = await promisify(execFile)(process.execPath, [program, index], { env });
  return Number(stdout);
}

function kB(bytes: number): string {
  return Math.ceil(bytes / 1000).toString();
}
