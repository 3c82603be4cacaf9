import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Installs the sources and types of sst's components into .sst/platform, where sst keeps them, unless this version is
 * already there. Needs the npm registry and takes about half a minute. sst's other commands would also download Pulumi.
 */
const root = fileURLToPath(new URL("../..", import.meta.url));
const platform = join(root, ".sst", "platform");
const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Checks files that the installation writes last, so that an interrupted one does not count. */
function installed(): boolean {
  if (!existsSync(join(platform, "node_modules", "@pulumi", "aws", "package.json"))) return false;
  return readFileSync(join(platform, "version"), "utf8").trim() === devDependencies.sst;
}

if (!installed()) {
  rmSync(platform, { recursive: true, force: true });
  console.log(`Installing the platform of sst ${devDependencies.sst} into .sst/platform`);
  execFileSync("sst", ["install", "--stage", "ci"], {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      SST_SKIP_DEPENDENCY_CHECK: "true",
      SST_TELEMETRY_DISABLED: "1",
      DO_NOT_TRACK: "1",
      SST_NO_BUN: "true",
    },
  });
  if (!installed())
    throw new Error(`sst install did not install the platform of version ${devDependencies.sst}.`);
}
