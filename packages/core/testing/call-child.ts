import { call } from "../webhook/call.ts";
import { peakMemoryMiB } from "./peak-memory.ts";
import "../webhook/consume.ts"; // Part of the memory that the webhook consumer uses.

/** The result of a child process that called a receiver. */
export type Report = { errors: (string | null)[]; peakMiB: number };

// `node call-child.ts URL AT-ONCE TIMES` prints a Report as JSON.
const [url = "", atOnce, times] = process.argv.slice(2);
const errors: Report["errors"] = [];
for (let round = 0; round < Number(times); round++) {
  const calls = Array.from({ length: Number(atOnce) }, () => call({ url, headers: {}, body: "{}" }));
  errors.push(...(await Promise.all(calls)).map(({ error }) => error));
}
const peakMiB = peakMemoryMiB();
process.stdout.write(JSON.stringify({ errors, peakMiB } satisfies Report));
