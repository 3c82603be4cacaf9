import { parseArgs } from "node:util";
import { checks } from "./checks.ts";
import { Mismatch } from "./http.ts";
import { openStage } from "./stage.ts";
import { runSuite } from "./suite.ts";

/**
 * Checks a running server over HTTP: `npm run smoke -- URL [--only NAME]…`. Exits with 0 if every check passes, with 1 if one
 * fails or the run is interrupted, and with 2 if the checks cannot start.
 */
try {
  const { values, positionals } = parseArgs({
    options: { only: { type: "string", multiple: true, default: [] } },
    allowPositionals: true,
  });
  const [url] = positionals;
  if (!url || positionals.length > 1 || !URL.canParse(url))
    throw new Error("Usage: npm run smoke -- URL [--only NAME]…");
  const names = checks.map(({ name }) => name);
  const unknown = values.only.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`No check is named ${unknown.join(", ")}. The checks are ${names.join(", ")}.`);
  const stage = await openStage(new URL(url), process.env);
  console.log(`smoke ${stage.url} (${stage.tools ? "npm start" : "deployed stage"})`);
  const interruption = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.on(name, () => {
      // npm passes on a signal that the terminal has already sent to this process.
      if (interruption.signal.aborted) return;
      console.log(`${name}: deleting what the running check has created`);
      interruption.abort(new Mismatch(`interrupted by ${name}`));
    });
  const passed = await runSuite(stage, {
    only: values.only,
    print: console.log,
    interruption: interruption.signal,
  });
  process.exitCode = passed ? 0 : 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
