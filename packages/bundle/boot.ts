import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

export type Outcome = {
  /** Why the bundle did not even start, when it did not. */
  startError?: string;
  /** What the handler answered, when it did. */
  // biome-ignore lint/suspicious/noExplicitAny: whoever asks says what is expected of the answer.
  result?: any;
  /** What the handler threw, when it did. */
  error?: { code?: unknown; message: string };
  /** What the process logged, for whoever has to find out why. */
  log: string;
};

/** Start a bundle in a process of its own, whose whole environment is `env`, and hand it one event. */
export async function boot(dir: string, env: Record<string, string>, event: unknown): Promise<Outcome> {
  const invoke = fileURLToPath(new URL("./invoke.ts", import.meta.url));
  const child = spawn(process.execPath, [invoke, `${dir}/index.mjs`], {
    cwd: dir,
    env,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    timeout: 30_000,
  });
  // A bundle that does not start never reads its event.
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify(event));
  const [outcome, out, problems] = await Promise.all([
    text(child.stdio[3] as Readable),
    text(child.stdout),
    text(child.stderr),
  ]);
  const log = `${out}${problems}`.replace(/^.{1000,}$/gm, (line) => `${line.slice(0, 1000)}…`);
  return { ...(outcome ? JSON.parse(outcome) : { startError: "The process died." }), log };
}
