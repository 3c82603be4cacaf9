import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { testPool } from "@svc/core/testing/database";
import type { Asked, Task } from "./crash-child.ts";

const child = fileURLToPath(new URL("crash-child.ts", import.meta.url));

/**
 * Killed when step number `at` arrives, or when it is done and not yet answered. A step is a statement, or a request to
 * whatever else the process speaks with.
 */
export type Death = { at: number; when: "before" | "after" };

/** Tells that a step other than a statement has arrived; the process may be dead afterwards. Answers whether it died of this one. */
export type Arrives = () => boolean;

/**
 * Do the task in a process of its own and kill -9 it there. `listen` hears of requests while it runs, and answers how to stop.
 * Resolves with the number of steps that it got to.
 */
export async function runKilled(
  task: Task,
  death: Death,
  listen: (arrives: Arrives) => () => void,
): Promise<number> {
  let steps = 0;
  const process_ = fork(child, [JSON.stringify(task)], { execArgv: [], serialization: "advanced" });
  const counted = () => steps++ === death.at;
  const client = await testPool().connect();
  const stop = listen(() => {
    const now = counted();
    if (now) process_.kill("SIGKILL");
    return now;
  });
  process_.on("message", ({ id, sql, parameters }: Asked) => {
    const now = counted();
    if (now && death.when === "before") return void process_.kill("SIGKILL");
    void client
      .query(sql, [...parameters])
      .then(({ command, rowCount, rows }) => ({ id, result: { command, rowCount, rows } }))
      .catch((error: Error) => ({ id, error: error.message }))
      .then((answer) => (now ? void process_.kill("SIGKILL") : answered(process_, answer)));
  });
  await once(process_, "exit");
  stop();
  // What a server does when a client is gone. Harmless when nothing was open.
  await client.query("rollback", []);
  client.release();
  return steps;
}

function answered(process_: ChildProcess, answer: object): void {
  if (process_.connected) process_.send(answer);
}
