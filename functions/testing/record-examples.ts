import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** `npm run openapi:examples`: records an example of each operation from the valid calls of the tests. */
const RECORD_EXAMPLES = fileURLToPath(new URL("../openapi/examples.json", import.meta.url));
const test = ["run", "--project", "database", "functions/conflicts", "-t", "write conflicts in routes"];
const { status } = spawnSync("npx", ["vitest", ...test], {
  env: { ...process.env, RECORD_EXAMPLES },
  stdio: "inherit",
});
process.exitCode = status ?? 1;
