import { withinShare } from "@svc/core/platform/db/job-cursor";
import { log } from "@svc/core/platform/log/log";
import * as CheckSums from "@svc/core/tracking/budgets/check-sums";
import type { Context } from "aws-lambda";
import { job } from "./job.ts";

/**
 * Compares the kept sums of every project with its entries once a day, and corrects them. `{"again":true}` also checks
 * those that were checked today. Stops before its time limit, and the next run continues. Fails after the run, which sets
 * off the alarm of the job, if complete sums were wrong or projects could not be checked.
 */
export const handler = job(async (event: unknown, context: Context): Promise<CheckSums.Run> => {
  const input = CheckSums.Input.parse(event ?? {});
  const hasTime = withinShare(0.9, () => context.getRemainingTimeInMillis());
  const run = await CheckSums.checkAll(input, hasTime);
  log.info("project sums checked", run);
  if (run.corrected + run.failed > 0)
    throw new Error(
      `${run.corrected} sums were wrong, and ${run.failed} projects were not checked. See the log.`,
    );
  return run;
});
