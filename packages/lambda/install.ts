import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Install AWS's runtime client, unless this very version is there. Its native part is compiled, which takes a compiler and
 * most of a minute: that is why it is no dependency of the repository.
 */
const folder = fileURLToPath(new URL(".", import.meta.url));
const { dependencies } = JSON.parse(readFileSync(`${folder}package.json`, "utf8"));
const client = `${folder}node_modules/aws-lambda-ric`;

function installed(): boolean {
  if (!existsSync(`${client}/rapid-client.node`)) return false;
  return (
    JSON.parse(readFileSync(`${client}/package.json`, "utf8")).version === dependencies["aws-lambda-ric"]
  );
}

if (!installed()) {
  const missing = ["g++", "make", "cmake", "python3", "tar", "xz"].filter(
    (program) => spawnSync(program, ["--version"]).error,
  );
  if (missing.length > 0)
    throw new Error(
      `aws-lambda-ric is compiled here, and ${missing.join(", ")} is missing: apt-get install g++ make cmake python3 xz-utils`,
    );
  console.log(`compiling aws-lambda-ric ${dependencies["aws-lambda-ric"]} in packages/lambda`);
  execFileSync("npm", ["ci", "--no-workspaces", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    stdio: "inherit",
    env: {
      ...process.env,
      // The headers of the Node that runs this, instead of a download.
      npm_config_nodedir: dirname(dirname(process.execPath)),
    },
  });
  if (!installed()) throw new Error("npm ci left no compiled aws-lambda-ric behind.");
}
