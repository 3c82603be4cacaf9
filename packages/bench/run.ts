import "../core/testing/environment.ts"; // first: it silences the log before there is one
import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism, cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { coldStart } from "./cold.ts";
import { cursorDepth } from "./depth.ts";
import { guard } from "./guard.ts";
import { hangingEndpoint } from "./hanging-endpoint.ts";
import { bombs, images } from "./images.ts";
import { membersList } from "./members.ts";
import { reportFiles, reports } from "./reports.ts";
import { signing, signingCold } from "./signing.ts";
import { timing } from "./timing.ts";
import { webhooks } from "./webhooks.ts";

const suites: Record<string, () => Promise<string>> = {
  signing,
  signingCold,
  cold: coldStart,
  images,
  bombs,
  members: membersList,
  timing,
  depth: cursorDepth,
  webhooks,
  hangingEndpoint,
  guard,
  reports,
  reportFiles,
};

/**
 * Takes hours, so only when it is asked for by name. In a process of its own, with a heap that has room for all that
 * ten minutes leave behind: while the generator collects its garbage it notices no answer, and takes both cores from
 * the server.
 */
async function load(): Promise<void> {
  const program = fileURLToPath(new URL("load/load.ts", import.meta.url));
  const child = spawn(process.execPath, ["--initial-old-space-size=1024", program], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`The load test ended with ${code}.`);
}

/** `npm run bench`, or `npm run bench -- signing images` for some of it. */
const asked = process.argv.slice(2);
console.log(
  `Node ${process.version}, ${availableParallelism()} cores of ${cpus()[0]?.model ?? "an unknown processor"}\n`,
);
for (const [name, suite] of Object.entries(suites))
  if (asked.length === 0 || asked.includes(name)) console.log(await suite());
if (asked.includes("load")) await load();
process.exit(0);
