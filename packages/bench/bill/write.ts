import "@svc/core/testing/environment"; // first: it silences the log before there is one
import { readFile, writeFile } from "node:fs/promises";
import { callsPerDay, habits } from "./habits.ts";
import { measure } from "./measure.ts";
import { page } from "./page.ts";

/** Init of the median function under Lambda's runtime client, as check:lambda wrote it down. */
const results = await readFile(new URL("../RESULTS.md", import.meta.url), "utf8");
const initMs = Number(/Median init (\d+) ms/.exec(results)?.[1] ?? Number.NaN);
if (!(initMs > 0)) throw new Error("RESULTS.md names no median init: npm run check:lambda -- --write");

/** `npm run bill`: measure, reckon, and write BILL.md. */
const measured = await measure();
const how = `Node ${process.version}, ${process.env.TEST_DATABASE_URL ? "PostgreSQL" : "PGlite"}`;
const text = page({ habits, callsPerDay, measured, initMs }, how);
await writeFile(new URL("../BILL.md", import.meta.url), text);
console.log(text);
process.exit();
