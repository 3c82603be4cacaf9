import { type Reapplied, ReapplyInput, reapply } from "@svc/core/lifecycle/reapply-erasures";
import { log } from "@svc/core/platform/log/log";
import type { Context } from "aws-lambda";
import { job } from "./job.ts";

/**
 * Deletes the accounts and avatars again that were deleted after the backup from which the database was restored.
 * `{"dryRun":true}` only lists them. Run by an operator.
 */
export const handler = job(async (event: unknown, context: Context): Promise<Reapplied> => {
  const { awsRequestId: requestId } = context;
  const remainingMs = () => context.getRemainingTimeInMillis();
  const result = await reapply(ReapplyInput.parse(event ?? {}), { requestId, remainingMs });
  const { accounts, avatars, ...counts } = result;
  log.info("erasures reapplied", { ...counts, accounts: accounts.length, avatars: avatars.length });
  return result;
});
