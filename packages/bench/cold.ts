import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bundle, root } from "../bundle/bundle.ts";
import { bundleName, units } from "../bundle/units.ts";
import { buildConventionally } from "./cold/conventional.ts";
import { interleaved } from "./interleaved.ts";

/** Handlers whose maximum ratio RESULTS.md promises. More rounds make their measurement more precise. */
const promises = [
  { handler: "auth/me", atMost: 0.35 },
  { handler: "upload/avatar", atMost: 0.6 },
];
const rounds = { promised: 41, others: 7 };

/** Compares import time and size of every bundle with a conventional build of the same handler, each in a fresh process. */
export async function coldStart(): Promise<string> {
  const outdir = join(root, "node_modules", ".cache", "svc-cold");
  const all = units();
  const own = await bundle(all, join(outdir, "own"));
  const conventionalBytes = await buildConventionally(all, join(outdir, "conventional"));
  const lines: string[] = [];
  const outcomes: string[] = [];
  for (const { name, dir, bytes } of own) {
    const promise = promises.find(({ handler }) => bundleName(handler) === name);
    const [svc, conventional] = await interleaved(
      [
        { name: "svc", run: () => importMs(join(dir, "index.mjs")) },
        {
          name: "conventional",
          run: () => importMs(join(outdir, "conventional", name, "index.mjs")),
        },
      ],
      promise ? rounds.promised : rounds.others,
    );
    if (!svc || !conventional) throw new Error("A contender is missing.");
    const ratio = svc.medianMs / conventional.medianMs;
    lines.push(
      `| ${name} | ${kB(bytes)} | ${kB(conventionalBytes.get(name) ?? Number.NaN)} | ${svc.medianMs.toFixed(1)} | ${conventional.medianMs.toFixed(1)} | ${ratio.toFixed(2)} |`,
    );
    if (promise)
      outcomes.push(
        `${name}: ${ratio.toFixed(2)} of the conventional build (promised: at most ${promise.atMost}): ${ratio <= promise.atMost ? "kept" : "BROKEN"}.`,
      );
  }
  await rm(outdir, { recursive: true });
  return [
    `### Import of each bundle in a fresh process, compared with the conventional build (medians of ${rounds.others} rounds; ${rounds.promised} for the bundles with a promise)`,
    "",
    "| bundle | kB | kB, conventional | ms | ms, conventional | ratio |",
    "|---|---|---|---|---|---|",
    ...lines,
    "",
    ...outcomes,
    "",
  ].join("\n");
}

async function importMs(index: string): Promise<number> {
  const program = fileURLToPath(new URL("cold/import.ts", import.meta.url));
  // Bundles require the variable, but importing them does not connect.
  const env = { ...process.env, DATABASE_URL: "postgres://127.0.0.1:1/none" };
  const { stdout } = await promisify(execFile)(process.execPath, [program, index], { env });
  return Number(stdout);
}

function kB(bytes: number): string {
  return Math.ceil(bytes / 1000).toString();
}
