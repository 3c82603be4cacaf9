import { log } from "@svc/core/platform/log/log";
import { jobs as realJobs } from "@svc/functions/jobs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Invocation } from "./lambda.ts";
import { type Jobs, type Schedules, schedules } from "./schedules.ts";
import { manualTimer } from "./testing/manual-timer.ts";

const jobs: Jobs = {
  hourly: { handler: "jobs/hourly", needs: [], schedule: "cron(43 * * * ? *)", timeoutSeconds: 300 },
  often: { handler: "jobs/often", needs: [], schedule: "rate(5 minutes)", timeoutSeconds: 10 },
  byHand: { handler: "jobs/by-hand", needs: [], timeoutSeconds: 30 },
};

let now: Date;
let calls: Invocation[];
let answer: (invocation: Invocation) => Promise<unknown>;
let clock: ReturnType<typeof manualTimer>;
let scheduled: Schedules;

function start(table: Jobs = jobs) {
  return schedules(
    table,
    async (invocation) => {
      calls.push(invocation);
      return answer(invocation);
    },
    { timer: clock.timer, now: () => now },
  );
}

beforeEach(() => {
  vi.spyOn(log, "error").mockReturnValue();
  now = new Date("2026-11-21T10:00:00Z");
  calls = [];
  answer = async () => "done";
  clock = manualTimer();
  scheduled = start();
});

afterEach(async () => {
  await scheduled.close();
  vi.restoreAllMocks();
});

const files = () => calls.map(({ file }) => file);

test("schedules waits for the job that is due first", () => {
  expect(clock.waits()).toEqual([5 * 60_000]);
  expect(calls).toEqual([]);
});

test("schedules runs a job when it is due and plans its next run", async () => {
  now = new Date("2026-11-21T10:05:00Z");
  clock.ring();
  await vi.waitUntil(() => calls.length > 0);
  expect(files()).toEqual(["jobs/often"]);
  expect(calls[0]).toMatchObject({
    event: { source: "aws.scheduler", time: "2026-11-21T10:05:00.000Z" },
    timeoutMs: 10_000,
  });
  expect(clock.waits()).toEqual([5 * 60_000]);
});

test("schedules waits again when the timer rings early", async () => {
  now = new Date("2026-11-21T10:04:59Z");
  expect(await scheduled.wake()).toEqual([]);
  expect(clock.waits()).toEqual([1000]);
});

test("wake runs each job once after the clock moves forward, however often it was due", async () => {
  now = new Date("2026-11-23T10:01:00Z");
  expect((await scheduled.wake()).sort()).toEqual(["hourly", "often"]);
  expect(files().sort()).toEqual(["jobs/hourly", "jobs/often"]);
  expect(await scheduled.wake()).toEqual([]);
  expect(clock.waits()).toEqual([4 * 60_000]);
});

test("wake plans jobs by the new time after the clock moves back", async () => {
  now = new Date("2026-11-23T10:01:00Z");
  await scheduled.wake();
  now = new Date("2026-11-21T10:41:00Z");
  expect(await scheduled.wake()).toEqual([]);
  now = new Date("2026-11-21T10:43:00Z");
  expect(await scheduled.wake()).toEqual(["hourly"]);
});

test("wake waits for all jobs, and logs a failing one without stopping the others", async () => {
  const slow = Promise.withResolvers<unknown>();
  answer = ({ file }) => (file === "jobs/often" ? Promise.reject(new Error("broken")) : slow.promise);
  now = new Date("2026-11-21T11:00:00Z");
  let woken = false;
  const waking = scheduled.wake().then(() => {
    woken = true;
  });
  await vi.waitUntil(() => vi.mocked(log.error).mock.calls.length === 1);
  expect(woken).toBe(false);
  slow.resolve(undefined);
  await waking;
  expect(woken).toBe(true);
});

test("runJob passes the payload to a job and returns its result or throws its error", async () => {
  answer = async ({ event }) => ({ got: event });
  expect(await scheduled.runJob("byHand", { dryRun: true })).toEqual({ got: { dryRun: true } });
  expect(calls[0]).toMatchObject({ file: "jobs/by-hand", timeoutMs: 30_000 });
  answer = () => Promise.reject(new Error("broken"));
  await expect(scheduled.runJob("hourly", {})).rejects.toThrow("broken");
  await expect(scheduled.runJob("toString", {})).rejects.toThrow("There is no job");
});

test("close waits for running jobs and starts no more", async () => {
  const slow = Promise.withResolvers<unknown>();
  answer = () => slow.promise;
  const running = scheduled.runJob("byHand", {});
  let closed = false;
  const closing = scheduled.close().then(() => {
    closed = true;
  });
  await Promise.resolve();
  expect(closed).toBe(false);
  slow.resolve("last");
  expect(await running).toBe("last");
  await closing;
  now = new Date("2026-11-22T10:00:00Z");
  expect(await scheduled.wake()).toEqual([]);
  expect(clock.waits()).toEqual([]);
});

test("every schedule in jobs.ts is a valid expression", () => {
  clock = manualTimer();
  start(realJobs);
  expect(clock.waits()).toHaveLength(1);
});
