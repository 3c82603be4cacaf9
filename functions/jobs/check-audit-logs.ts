import * as Check from "@svc/core/audit/proof/check";
import * as Config from "@svc/core/platform/config/config";
import { withinShare } from "@svc/core/platform/db/job-cursor";
import { log } from "@svc/core/platform/log/log";
import type { Context } from "aws-lambda";
import { job } from "./job.ts";

/**
 * Compares every audit log with its chain and its checkpoints once a day. `{"again":true}` also checks those that were checked
 * today, `{"workspaceId":"…"}` only one. Stops before its time limit, and the next run continues. Fails after the run, which
 * sets off the alarm of the job, if a log does not verify or could not be checked.
 */
export const handler = job(async (event: unknown, context: Context): Promise<Check.Run> => {
  const input = Check.Input.parse(event ?? {});
  const hasTime = withinShare(0.9, () => context.getRemainingTimeInMillis());
  const run = await Check.checkAll(Config.auditKeys(), input, hasTime);
  log.info("audit logs checked", run);
  if (run.problems + run.failed > 0)
    throw new Error(
      `${run.problems} problems in audit logs, and ${run.failed} logs not checked. See the log.`,
    );
  return run;
});
