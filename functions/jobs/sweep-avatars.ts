import { SweepInput, type SweepResult, sweep } from "@svc/core/avatar/sweep";
import { log } from "@svc/core/platform/log/log";
import type { Context } from "aws-lambda";
import { job } from "./job.ts";

/**
 * Deletes avatar objects that no user refers to, and clears avatars whose object is missing. `{"dryRun":true}` only lists
 * them. Stops before its time limit, and the next run continues.
 */
export const handler = job(async (event: unknown, context: Context): Promise<SweepResult> => {
  const { awsRequestId: requestId } = context;
  const remainingMs = () => context.getRemainingTimeInMillis();
  const result = await sweep(SweepInput.parse(event ?? {}), { requestId, remainingMs });
  const { orphans: _, missing: __, ...counts } = result;
  log.info("avatars swept", counts);
  return result;
});
