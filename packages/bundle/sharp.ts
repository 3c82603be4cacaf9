import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { cut } from "./lock.ts";

/** A machine in the words of npm. */
export type Target = { os: string; cpu: string; libc: string };

/** AWS Lambda on Graviton. */
export const lambda: Target = { os: "linux", cpu: "arm64", libc: "glibc" };

/**
 * sharp with its native part for another machine (for this one, when none is named), in exactly the versions of our lock
 * file and checked against its integrity hashes. Answers the `node_modules` folder it is in, which is kept until the
 * lock changes.
 */
export async function installSharp(root: string, target?: Target): Promise<string> {
  const lock = cut(JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")), "sharp");
  const { os, cpu } = target ?? { os: process.platform, cpu: process.arch };
  const wanted = hash("sha256", JSON.stringify(lock)).slice(0, 16);
  const kept = join(root, "node_modules", ".cache", "svc-sharp", `${os}-${cpu}-${wanted}`);
  if (await stat(kept).catch(() => undefined)) return join(kept, "node_modules");
  const fresh = `${kept}.${process.pid}`;
  await mkdir(fresh, { recursive: true });
  await writeFile(join(fresh, "package.json"), JSON.stringify(lock.packages[""]));
  await writeFile(join(fresh, "package-lock.json"), JSON.stringify(lock));
  const platform = Object.entries(target ?? {}).map(([option, value]) => `--${option}=${value}`);
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await promisify(execFile)("npm", ["ci", ...quiet, ...platform], { cwd: fresh });
  await rm(join(fresh, "node_modules", ".package-lock.json"), { force: true });
  await rename(fresh, kept);
  return join(kept, "node_modules");
}
