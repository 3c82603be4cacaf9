import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { allocator } from "../../core/avatar/allocator.ts";
import type { Command, Ready } from "./server.ts";

/** A server in a separate process. */
export type Server = { url: string; process: ChildProcess; send(command: Command): void };

/** The local server of this directory. */
export const localServer = new URL("server.ts", import.meta.url);

/** Starts a program that serves the database of LOAD_DATABASE, sends `Ready`, and ends when it is disconnected. */
export async function startServer(
  program: URL,
  database: string,
  env: Record<string, string> = {},
): Promise<Server> {
  const child = fork(fileURLToPath(program), {
    execArgv: ["--expose-gc", "--no-allocation-site-pretenuring", "--max-semi-space-size=16"],
    env: {
      // Removes the storage settings of the tests, so that the server starts its own bucket.
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("STORAGE_"))),
      LOAD_DATABASE: database,
      RATE_LIMITS: "off",
      ...allocator,
      ...env,
    },
  });
  const [ready] = (await once(child, "message")) as [Ready];
  // Use an IP address, because resolving localhost for each connection would be part of the measurement.
  const url = ready.url.replace("localhost", "127.0.0.1");
  return { url, process: child, send: (command) => void child.send(command) };
}

export async function stopServer({ process: child }: Server): Promise<void> {
  child.disconnect();
  await once(child, "exit");
}
