import { readFileSync } from "node:fs";
import "../core/testing/environment.ts";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { db } from "../core/platform/db/engine.ts";
import { generate } from "../core/report/generate.ts";
import { authorize } from "../core/workspace/authorization.ts";

/** A process that generates one report and prints its duration and peak memory. Its bucket accepts and discards all objects. */
const { userId, workspaceId, from, to, format } = JSON.parse(process.argv[2] ?? "");
const bucket = createServer((request, response) => request.resume().on("end", () => response.end())).listen(
  0,
  "127.0.0.1",
);
await new Promise((resolve) => bucket.once("listening", resolve));
process.env.STORAGE_ENDPOINT = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`;
const actor = { userId, sessionId: "ses", ip: "", userAgent: "", requestId: "bench" };
const membership = await authorize(actor, workspaceId);
const { rows } = await sql<{
  n: string;
}>`SELECT count(*)::text AS n FROM time_entries WHERE workspace_id = ${workspaceId}
  AND started_at >= ${from}::timestamptz`.execute(db());
// Unlike maxRSS, VmHWM does not include the memory of the parent before the fork.
const mebibytes = () =>
  Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024);
const before = mebibytes();
const started = performance.now();
const { size } = await generate(actor, membership, { type: "detailed", format, from, to });
const seconds = (performance.now() - started) / 1000;
console.log(
  JSON.stringify({ rows: Number(rows[0]?.n), bytes: size, seconds, mebibytes: mebibytes(), before }),
);
process.exit(0);
