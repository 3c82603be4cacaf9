import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** The result of a booted bundle. */
export type Outcome = {
  /** The error message if the bundle did not start. */
  startError?: string;
  /** The return value of the handler. */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the type of its handler's result.
  result?: any;
  /** The error that the handler threw. */
  error?: { code?: unknown; message: string };
  /** The output of the process, for debugging. */
  log: string;
};

/** Starts a bundle in a separate process with exactly the environment `env`, and invokes it with one event. */
export async function boot(dir: string, env: Record<string, string>, event: unknown): Promise<Outcome> {
  const invoke = fileURLToPath(new URL("./invoke.ts", import.meta.url));
  const child = spawn(process.execPath, [invoke, `${dir}/index.mjs`], {
    cwd: dir,
    env,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    timeout: 30_000,
  });
  // The write fails if the bundle does not start, because it then never reads its event.
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify(event));
  const [outcome, out, problems] = await Promise.all([
    text(child.stdio[3] as Readable),
    text(child.stdout),
    text(child.stderr),
  ]);
  const log = `${out}${problems}`.replace(/^.{1000,}$/gm, (line) => `${line.slice(0, 1000)}…`);
  return { ...(outcome ? JSON.parse(outcome) : { startError: "The process exited without a result." }), log };
}
