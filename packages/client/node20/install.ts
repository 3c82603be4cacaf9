import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The oldest Node that the client supports. On other systems than Linux, set NODE20_PATH. */
export const node20 =
  process.env.NODE20_PATH ??
  fileURLToPath(new URL(`node_modules/node-linux-${process.arch}/bin/node`, import.meta.url));

/** Installs it unless it is installed. It is not a dependency of the repository, because it has 100 MB. */
export function installNode20(): void {
  if (existsSync(node20)) return;
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  execFileSync("npm", ["ci", "--no-workspaces", "--no-audit", "--no-fund", "--loglevel=error"], { cwd });
  if (!existsSync(node20)) throw new Error(`npm ci did not install ${node20}.`);
}
