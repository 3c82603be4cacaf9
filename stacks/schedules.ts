import { type Job, type JobName, jobs } from "../functions/jobs.ts";
import type { Deployed } from "./deployed.ts";
import { lambda, pascal } from "./lambda.ts";
import { consume, missedRuns } from "./queue.ts";
import { settings } from "./stage.ts";

/** The stage's schedules. EventBridge Scheduler counts failures by group. */
export const scheduleGroup = new aws.scheduler.ScheduleGroup("Schedules", {
  name: `${$app.name}-${$app.stage}`,
});

const { paused } = settings($app.stage);

/** The functions of jobs.ts, by name. Operators invoke them as `svc-<stage>-<name>`. */
export const jobFunctions = Object.fromEntries(
  Object.entries<Job>(jobs).map(([name, job]) => [name, deploy(name, job)]),
) as Record<JobName, Deployed>;

function deploy(name: string, job: Job): Deployed {
  const deployed = lambda(name, job);
  if (job.schedule)
    new sst.aws.CronV2(`${pascal(name)}Schedule`, {
      schedule: job.schedule as `cron(${string})` | `rate(${string})`,
      function: deployed.fn.arn,
      retries: 2,
      dlq: missedRuns.arn,
      transform: {
        schedule: (args) => {
          args.groupName = scheduleGroup.name;
          args.state = paused ? "DISABLED" : "ENABLED";
        },
      },
    });
  if (job.queue) consume(`${pascal(name)}Messages`, deployed.fn, job.queue);
  return deployed;
}
