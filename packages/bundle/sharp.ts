import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { extractLock } from "./lock.ts";

/** A platform, in npm's terms. */
export type Target = { os: string; cpu: string; libc: string };

/** AWS Lambda on Graviton. */
export const lambda: Target = { os: "linux", cpu: "arm64", libc: "glibc" };

/**
 * Installs sharp with its native code for a platform, by default this machine's, in the versions of the lock file and with its
 * integrity checks. Returns the `node_modules` folder, which is cached until the lock file changes.
 */
export async function installSharp(root: string, target?: Target): Promise<string> {
  const lock = extractLock(JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")), "sharp");
  const { os, cpu } = target ?? { os: process.platform, cpu: process.arch };
  const version = hash("sha256", JSON.stringify(lock)).slice(0, 16);
  const cached = join(root, "node_modules", ".cache", "svc-sharp", `${os}-${cpu}-${version}`);
  if (await stat(cached).catch(() => undefined)) return join(cached, "node_modules");
  const temporary = `${cached}.${process.pid}`;
  await mkdir(temporary, { recursive: true });
  await writeFile(join(temporary, "package.json"), JSON.stringify(lock.packages[""]));
  await writeFile(join(temporary, "package-lock.json"), JSON.stringify(lock));
  const platform = Object.entries(target ?? {}).map(([option, value]) => `--${option}=${value}`);
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await promisify(execFile)("npm", ["ci", ...quiet, ...platform], { cwd: temporary });
  await rm(join(temporary, "node_modules", ".package-lock.json"), { force: true });
  await rename(temporary, cached);
  return join(cached, "node_modules");
}
