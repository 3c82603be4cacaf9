import "@svc/core/testing/environment"; // Must come first: silences the log before other modules log.
import { readFile, writeFile } from "node:fs/promises";
import { callsPerDay, habits } from "./habits.ts";
import { measure } from "./measure.ts";
import { page } from "./page.ts";

// check:lambda writes the median init duration under Lambda's runtime client to RESULTS.md.
const results = await readFile(new URL("../RESULTS.md", import.meta.url), "utf8");
const initMs = Number(/median init duration is (\d+) ms/.exec(results)?.[1] ?? Number.NaN);
if (!(initMs > 0))
  throw new Error("RESULTS.md has no median init duration. Run: npm run check:lambda -- --write");

// Measures, calculates and writes BILL.md.
const measured = await measure();
const environment = `Node ${process.version}, ${process.env.TEST_DATABASE_URL ? "PostgreSQL" : "PGlite"}`;
const text = page({ habits, callsPerDay, measured, initMs }, environment);
await writeFile(new URL("../BILL.md", import.meta.url), text);
console.log(text);
process.exit();
