import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgres } from "../../core/platform/db/engine.ts";
import { contended } from "../../core/testing/conflicts.ts";

// Runs the local server in a separate process, on the database of LOAD_DATABASE, with faults that the parent switches on.

/** A message from the parent: switch faults on or off, or collect garbage and report memory. */
export type Command = { faults: boolean } | { collect: true };
/** The first message to the parent. */
export type Ready = { url: string };
/** Bytes after a garbage collection: in V8's heap, and in the rest of the process. */
export type Memory = { heap: number; outsideHeap: number };

const faultRate = 0.05;
let faults = false;
const strikes = () => faults && Math.random() < faultRate;

if (process.env.LOAD_SIGNER === "sdk") await import("./sdk-signer.ts");
const { connections, startLocal } = await import("../../local/server.ts");

const data = mkdtempSync(join(tmpdir(), "svc-load-"));
const pool = postgres(process.env.LOAD_DATABASE ?? "", connections);
const server = await startLocal({ port: 0, data, seed: "none", database: contended(pool, strikes) });
if (server.bucket) server.bucket.fail = () => (strikes() ? 503 : undefined);

process.on("message", (command: Command) => {
  if ("faults" in command) faults = command.faults;
  else {
    globalThis.gc?.();
    const { heapUsed, heapTotal, rss } = process.memoryUsage();
    process.send?.({ heap: heapUsed, outsideHeap: rss - heapTotal } satisfies Memory);
  }
});
process.on("disconnect", () => {
  rmSync(data, { recursive: true, force: true });
  process.exit();
});
process.send?.({ url: server.url } satisfies Ready);
