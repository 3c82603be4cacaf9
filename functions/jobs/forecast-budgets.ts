import { withinShare } from "@svc/core/platform/db/job-cursor";
import { log } from "@svc/core/platform/log/log";
import * as Budget from "@svc/core/tracking/budgets/budget";
import type { Context } from "aws-lambda";
import { job } from "./job.ts";

/**
 * Checks every budget in use and records the warnings that are due. Returns the number of budgets and of failures. Stops
 * before its time limit, and the next run continues.
 */
export const handler = job(async (_event: unknown, context: Context): Promise<Budget.ForecastRun> => {
  const hasTime = withinShare(0.9, () => context.getRemainingTimeInMillis());
  const checked = await Budget.forecastAll(context.awsRequestId, hasTime);
  log.info("budgets forecast", checked);
  return checked;
});
