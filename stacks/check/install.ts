import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Put the sources and types of sst's components where sst keeps them, .sst/platform, unless this very version is there.
 * That takes the npm registry and half a minute; sst's own commands would first want to download Pulumi too.
 */
const root = fileURLToPath(new URL("../..", import.meta.url));
const platform = join(root, ".sst", "platform");
const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** What is written last is there: an install that was interrupted is none. */
function installed(): boolean {
  if (!existsSync(join(platform, "node_modules", "@pulumi", "aws", "package.json"))) return false;
  return readFileSync(join(platform, "version"), "utf8").trim() === devDependencies.sst;
}

if (!installed()) {
  rmSync(platform, { recursive: true, force: true });
  console.log(`installing the platform of sst ${devDependencies.sst} into .sst/platform`);
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
  if (!installed()) throw new Error(`sst install left no platform of version ${devDependencies.sst} behind.`);
}
