import { log } from "@svc/core/platform/log/log";
import * as Budget from "@svc/core/tracking/budgets/budget";
import type { Context } from "aws-lambda";

/** Look at every budget in use and give the warnings that are due. Answers how many budgets there are and how many failed. */
export async function handler(_event: unknown, { awsRequestId }: Context): Promise<Budget.Looked> {
  const looked = await Budget.forecastAll(awsRequestId);
  log.info("forecast", looked);
  return looked;
}
