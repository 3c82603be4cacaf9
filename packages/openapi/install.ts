import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

/** Installs the tools unless their locked versions are installed. They have 130 MB and are not dependencies of the repository. */
export function install(): void {
  const installed = new URL("node_modules/.package-lock.json", import.meta.url);
  if (
    existsSync(installed) &&
    versions(read("node_modules/.package-lock.json")) === versions(read("package-lock.json"))
  )
    return;
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const options = ["--no-workspaces", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["ci", ...options], { cwd });
}

/** Lists the packages of a lock file, without those for other platforms. */
function versions(lock: string): string {
  const { packages } = JSON.parse(lock) as { packages: Record<string, { version: string; optional?: true }> };
  return Object.entries(packages)
    .filter(([path, { optional }]) => path !== "" && !optional)
    .map(([path, { version }]) => `${path} ${version}`)
    .sort()
    .join();
}
