import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { testPool } from "@svc/core/testing/database";
import type { StatementRequest, Task } from "./crash-child.ts";

const child = fileURLToPath(new URL("crash-child.ts", import.meta.url));

/**
 * When to kill the process: before step number `at` runs, or after it has run but before its result is returned. A step is a
 * database statement or a request to another server.
 */
export type Death = { at: number; when: "before" | "after" };

/** Counts a step that is not a database statement. Returns whether the process was killed at this step. */
export type CountStep = () => boolean;

/**
 * Runs a task in a child process and kills it with SIGKILL at the given step. `listen` registers a listener for other requests of
 * the child, and returns a function that removes it. Resolves to the number of steps that began.
 */
export async function runKilled(
  task: Task,
  death: Death,
  listen: (countStep: CountStep) => () => void,
): Promise<number> {
  let steps = 0;
  const process_ = fork(child, [JSON.stringify(task)], { execArgv: [], serialization: "advanced" });
  const isFatal = () => steps++ === death.at;
  const client = await testPool().connect();
  const stop = listen(() => {
    const fatal = isFatal();
    if (fatal) process_.kill("SIGKILL");
    return fatal;
  });
  process_.on("message", ({ id, sql, parameters }: StatementRequest) => {
    const fatal = isFatal();
    if (fatal && death.when === "before") return void process_.kill("SIGKILL");
    void client
      .query(sql, [...parameters])
      .then(({ command, rowCount, rows }) => ({ id, result: { command, rowCount, rows } }))
      .catch((error: Error) => ({ id, error: error.message }))
      .then((result) => (fatal ? void process_.kill("SIGKILL") : reply(process_, result)));
  });
  await once(process_, "exit");
  stop();
  // A server rolls back when its client disconnects. Without an open transaction, this has no effect.
  await client.query("rollback", []);
  client.release();
  return steps;
}

function reply(process_: ChildProcess, result: object): void {
  if (process_.connected) process_.send(result);
}
