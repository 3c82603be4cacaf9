import { randomUUID } from "node:crypto";
import * as Clock from "@svc/core/base/clock";
import { log } from "@svc/core/platform/log/log";
import type { Job } from "@svc/functions/jobs";
import type { Lambda } from "./lambda.ts";
import { nextDue } from "./schedule-expression.ts";
import { realTimer, type Timer } from "./timer.ts";

export type Jobs = Readonly<Record<string, Job>>;

export type Schedules = {
  /** Runs a job by name and returns its result. Throws the job's errors. */
  runJob(name: string, payload: unknown): Promise<unknown>;
  /**
   * Runs every job that has become due since the last call, once each, however often it was due. Call it after moving the clock.
   * Resolves to the names of the jobs when all are done. Errors are only logged.
   */
  wake(): Promise<string[]>;
  /** Starts no more jobs. Resolves when the running ones are done. */
  close(): Promise<void>;
};

/** Schedules a table of jobs by the application clock. */
export function schedules(
  jobs: Jobs,
  lambda: Lambda,
  { timer = realTimer, now = Clock.now }: { timer?: Timer; now?: () => Date } = {},
): Schedules {
  const since = now();
  const dueAt = new Map<string, Date>();
  const running = new Set<Promise<unknown>>();
  let lastWake = since;
  let cancel = () => {};

  function plan(name: string, at: Date): void {
    const expression = jobs[name]?.schedule;
    const next = expression && nextDue(expression, at, since);
    if (next) dueAt.set(name, next);
    else dueAt.delete(name);
  }

  function arm(): void {
    cancel();
    const earliest = Math.min(...[...dueAt.values()].map((due) => due.getTime()));
    if (Number.isFinite(earliest)) cancel = timer(earliest - now().getTime(), () => void wake());
  }

  async function runJob(name: string, payload: unknown): Promise<unknown> {
    const job = Object.hasOwn(jobs, name) ? jobs[name] : undefined;
    if (!job) throw new Error(`There is no job named ${name}.`);
    const work = lambda({ file: job.handler, event: payload, timeoutMs: job.timeoutSeconds * 1000 });
    running.add(work);
    try {
      return await work;
    } finally {
      running.delete(work);
    }
  }

  async function runScheduled(name: string, at: Date): Promise<void> {
    try {
      await runJob(name, scheduledEvent(name, at));
    } catch (error) {
      log.error("job failed", { job: name, error: error as Error });
    }
  }

  async function wake(): Promise<string[]> {
    const at = now();
    // When the clock has been moved back, the planned times are too far in the future.
    const outdated = at < lastWake ? [...dueAt.keys()] : [];
    lastWake = at;
    const due = [...dueAt].filter(([, time]) => time <= at).map(([name]) => name);
    for (const name of new Set([...due, ...outdated])) plan(name, at);
    arm();
    await Promise.all(due.map((name) => runScheduled(name, at)));
    return due;
  }

  for (const name of Object.keys(jobs)) plan(name, since);
  arm();
  return {
    runJob,
    wake,
    async close() {
      cancel();
      dueAt.clear();
      await Promise.allSettled(running);
    },
  };
}

/** Builds the event that EventBridge Scheduler sends for a schedule without an input. */
function scheduledEvent(name: string, at: Date) {
  return {
    version: "0",
    id: randomUUID(),
    "detail-type": "Scheduled Event",
    source: "aws.scheduler",
    account: "000000000000",
    time: at.toISOString(),
    region: "local",
    resources: [`arn:aws:scheduler:local:000000000000:schedule/default/${name}`],
    detail: "{}",
  };
}
