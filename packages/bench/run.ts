import "../core/testing/environment.ts"; // first: it silences the log before there is one
import { availableParallelism, cpus } from "node:os";
import { coldStart } from "./cold.ts";
import { cursorDepth } from "./depth.ts";
import { guard } from "./guard.ts";
import { bombs, images } from "./images.ts";
import { load } from "./load/load.ts";
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
  guard,
  reports,
  reportFiles,
};

/** Takes hours, so only when it is asked for by name. */
const long: Record<string, () => Promise<string>> = { load };

/** `npm run bench`, or `npm run bench -- signing images` for some of it. */
const asked = process.argv.slice(2);
console.log(
  `Node ${process.version}, ${availableParallelism()} cores of ${cpus()[0]?.model ?? "an unknown processor"}\n`,
);
for (const [name, suite] of Object.entries(suites))
  if (asked.length === 0 || asked.includes(name)) console.log(await suite());
for (const [name, suite] of Object.entries(long)) if (asked.includes(name)) console.log(await suite());
process.exit(0);
