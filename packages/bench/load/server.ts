import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgres } from "../../core/platform/db/engine.ts";
import { contended } from "../../core/testing/conflicts.ts";

/** The local server in a process of its own, on the database of LOAD_DATABASE, with faults that the parent switches on. */
export type Told = { faults: boolean } | { collect: true };
export type Ready = { url: string };
/** Bytes, when the garbage is gone: in V8's heap, and in all the rest of the process. */
export type Memory = { heap: number; beside: number };

const share = 0.05;
let faults = false;
const struck = () => faults && Math.random() < share;

if (process.env.LOAD_SIGNER === "sdk") await import("./sdk-signer.ts");
const { connections, startLocal } = await import("../../local/server.ts");

const data = mkdtempSync(join(tmpdir(), "svc-load-"));
const pool = postgres(process.env.LOAD_DATABASE ?? "", connections);
const server = await startLocal({ port: 0, data, seed: "none", database: contended(pool, struck) });
if (server.bucket) server.bucket.fail = () => (struck() ? 503 : undefined);

process.on("message", (told: Told) => {
  if ("faults" in told) faults = told.faults;
  else {
    globalThis.gc?.();
    const { heapUsed, heapTotal, rss } = process.memoryUsage();
    process.send?.({ heap: heapUsed, beside: rss - heapTotal } satisfies Memory);
  }
});
process.on("disconnect", () => {
  rmSync(data, { recursive: true, force: true });
  process.exit();
});
process.send?.({ url: server.url } satisfies Ready);
