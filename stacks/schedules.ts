import { type Job, type JobName, jobs } from "../functions/jobs.ts";
import type { Deployed } from "./deployed.ts";
import { lambda, pascal } from "./lambda.ts";
import { consume } from "./queue.ts";

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
    });
  if (job.queue) consume(`${pascal(name)}Messages`, deployed.fn, job.queue);
  return deployed;
}
