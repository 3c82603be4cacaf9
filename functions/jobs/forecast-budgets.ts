import { log } from "@svc/core/platform/log/log";
import * as Budget from "@svc/core/tracking/budgets/budget";
import type { Context } from "aws-lambda";

/** Checks every budget in use and records the warnings that are due. Returns the number of budgets and of failures. */
export async function handler(_event: unknown, { awsRequestId }: Context): Promise<Budget.ForecastRun> {
  const checked = await Budget.forecastAll(awsRequestId);
  log.info("budgets forecast", checked);
  return checked;
}
