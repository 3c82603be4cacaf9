import { type MadeSmall, MakeSmallInput, makeSmall } from "@svc/core/avatar/make-small";
import { log } from "@svc/core/platform/log/log";
import type { Context } from "aws-lambda";
import { job } from "./job.ts";

/**
 * Makes the small pictures of avatars that were uploaded before release 1.4.1. `{"dryRun":true}` only counts them. Stops before
 * its time limit, and the next run continues.
 */
export const handler = job(async (event: unknown, context: Context): Promise<MadeSmall> => {
  const { awsRequestId: requestId } = context;
  const remainingMs = () => context.getRemainingTimeInMillis();
  const result = await makeSmall(MakeSmallInput.parse(event ?? {}), { requestId, remainingMs });
  log.info("small avatars made", result);
  return result;
});
