import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { close, postgres } from "../core/platform/db/engine.ts";
import { receiver } from "../core/testing/receiver.ts";
import { administer, databaseUrl } from "../core/testing/setup-database.ts";
import { sweep } from "../core/webhook/sweep.ts";
import { connections, startLocal } from "../local/server.ts";
import { crowdWithHangingEndpoint } from "../local/testing/crowd.ts";
import { interleaved, table } from "./interleaved.ts";

const rounds = 7;

/**
 * Measures how long the local server on PostgreSQL takes to deliver a burst of 20 events to each of 50 endpoints, while a
 * 51st endpoint responds and while it hangs. The receiver runs in the same process.
 */
export async function hangingEndpoint(): Promise<string> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server)
    return "hangingEndpoint: needs TEST_DATABASE_URL (.ci/with-postgres npm run bench -- hangingEndpoint)\n";
  const name = `svc_bench_${process.pid}`;
  await administer(server, `CREATE DATABASE ${name}`);
  const data = await mkdtemp(join(tmpdir(), "svc-bench-"));
  const database = postgres(databaseUrl(server, name), connections);
  const receiving = await receiver();
  const local = await startLocal({ port: 0, data, seed: "none", database });
  const burst = async (hangs: boolean) => {
    const crowd = await crowdWithHangingEndpoint(receiving);
    if (!hangs) crowd.release();
    const started = performance.now();
    await crowd.burst();
    const ms = performance.now() - started;
    crowd.release();
    await sweep();
    return ms;
  };
  try {
    const rows = await interleaved(
      [
        { name: "all 51 respond", run: () => burst(false) },
        { name: "one of them hangs", run: () => burst(true) },
      ],
      rounds,
    );
    return table("20 events to each of 51 endpoints, until 50 of them have received all", rows);
  } finally {
    await local.close();
    await receiving.close();
    await close();
    await administer(server, `DROP DATABASE ${name} WITH (FORCE)`);
    await rm(data, { recursive: true, force: true });
  }
}
