import "@svc/core/testing/environment"; // first, because it silences the log before anything logs
import { readFile, writeFile } from "node:fs/promises";
import { callsPerDay, habits } from "./habits.ts";
import { measure } from "./measure.ts";
import { page } from "./page.ts";

// The median init time under Lambda's runtime client, as check:lambda has recorded it.
const results = await readFile(new URL("../RESULTS.md", import.meta.url), "utf8");
const initMs = Number(/Median init (\d+) ms/.exec(results)?.[1] ?? Number.NaN);
if (!(initMs > 0))
  throw new Error("RESULTS.md has no median init time. Run: npm run check:lambda -- --write");

// Measures, calculates and writes BILL.md.
const measured = await measure();
const environment = `Node ${process.version}, ${process.env.TEST_DATABASE_URL ? "PostgreSQL" : "PGlite"}`;
const text = page({ habits, callsPerDay, measured, initMs }, environment);
await writeFile(new URL("../BILL.md", import.meta.url), text);
console.log(text);
process.exit();
