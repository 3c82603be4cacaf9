import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Installs AWS's runtime client unless this version is already installed. It is not a dependency of the repository, because its
 * native code is compiled, which needs a compiler and most of a minute.
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
      `Compiling aws-lambda-ric needs ${missing.join(", ")}. Run: apt-get install g++ make cmake python3 xz-utils`,
    );
  console.log(`compiling aws-lambda-ric ${dependencies["aws-lambda-ric"]} in packages/lambda`);
  execFileSync("npm", ["ci", "--no-workspaces", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    stdio: "inherit",
    env: {
      ...process.env,
      // Uses the headers of the running Node instead of downloading them.
      npm_config_nodedir: dirname(dirname(process.execPath)),
    },
  });
  if (!installed()) throw new Error("npm ci did not compile aws-lambda-ric.");
}
