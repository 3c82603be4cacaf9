import "../core/testing/environment.ts"; // Must come first: silences the log before other modules log.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism, cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { audit } from "./audit.ts";
import { budgets } from "./budgets.ts";
import { burst } from "./burst.ts";
import { coldStart } from "./cold.ts";
import { cropping } from "./cropping.ts";
import { cursorDepth } from "./depth.ts";
import { guard } from "./guard.ts";
import { hangingEndpoint } from "./hanging-endpoint.ts";
import { bombs, images } from "./images.ts";
import { inp } from "./inp.ts";
import { lighthouse } from "./lighthouse.ts";
import { membersList } from "./members.ts";
import { multipart } from "./multipart.ts";
import { peers } from "./peers/peers.ts";
import { reportFiles, reports } from "./reports.ts";
import { signing, signingCold } from "./signing.ts";
import { passwordStrength } from "./strength.ts";
import { timing } from "./timing.ts";
import { webhooks } from "./webhooks.ts";

const suites: Record<string, () => Promise<string>> = {
  signing,
  signingCold,
  cold: coldStart,
  images,
  bombs,
  cropping,
  multipart,
  members: membersList,
  timing,
  passwordStrength,
  depth: cursorDepth,
  budgets,
  audit,
  webhooks,
  hangingEndpoint,
  burst,
  guard,
  peers,
  reports,
  reportFiles,
  lighthouse,
  inp,
};

/**
 * Runs the load test. It takes hours, so it runs only when requested by name. Its separate process has a large heap: while
 * the load generator collects garbage, it reads no responses and takes both cores from the server.
 */
async function load(): Promise<void> {
  const program = fileURLToPath(new URL("load/load.ts", import.meta.url));
  const child = spawn(process.execPath, ["--initial-old-space-size=1024", program], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`The load test exited with ${code}.`);
}

/** The requested benchmarks: `npm run bench` runs all but `load`, `npm run bench -- signing images` only these two. */
const requested = process.argv.slice(2);
console.log(
  `Node ${process.version}, ${availableParallelism()} cores of ${cpus()[0]?.model ?? "an unknown processor"}\n`,
);
for (const [name, suite] of Object.entries(suites))
  if (requested.length === 0 || requested.includes(name)) console.log(await suite());
if (requested.includes("load")) await load();
process.exit();
