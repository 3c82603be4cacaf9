import { randomUUID } from "node:crypto";
import * as Clock from "@svc/core/base/clock";
import { log } from "@svc/core/platform/log/log";
import type { Job } from "@svc/functions/jobs";
import type { Lambda } from "./lambda.ts";
import { nextDue } from "./schedule-expression.ts";
import { realTimer, type Timer } from "./timer.ts";

export type Jobs = Readonly<Record<string, Job>>;

export type Schedules = {
  /** Call a job by its name, as an operator does, and answer what it returns. Throws what it throws. */
  runJob(name: string, payload: unknown): Promise<unknown>;
  /**
   * Look at the clock, which may have been moved: every job that has become due since the last look runs, once however
   * often it was due. Resolves with their names when all of them are done; failures are only logged.
   */
  wake(): Promise<string[]>;
  /** No job starts any more. Resolves when those at work are done. */
  close(): Promise<void>;
};

/** The schedules of a table of jobs, by our clock. */
export function schedules(
  jobs: Jobs,
  lambda: Lambda,
  { timer = realTimer, now = Clock.now }: { timer?: Timer; now?: () => Date } = {},
): Schedules {
  const since = now();
  const dueAt = new Map<string, Date>();
  const atWork = new Set<Promise<unknown>>();
  let lastLook = since;
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
    if (!job) throw new Error(`There is no job ${name}.`);
    const work = lambda({ file: job.handler, event: payload, timeoutMs: job.timeoutSeconds * 1000 });
    atWork.add(work);
    try {
      return await work;
    } finally {
      atWork.delete(work);
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
    // Moved back: what was planned lies too far ahead.
    const outdated = at < lastLook ? [...dueAt.keys()] : [];
    lastLook = at;
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
      await Promise.allSettled(atWork);
    },
  };
}

/** What EventBridge Scheduler sends when a schedule names no input of its own. */
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
