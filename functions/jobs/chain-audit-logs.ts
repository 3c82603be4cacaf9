import * as Chain from "@svc/core/audit/proof/chain";
import * as Config from "@svc/core/platform/config/config";
import { withinShare } from "@svc/core/platform/db/job-cursor";
import { log } from "@svc/core/platform/log/log";
import type { Context } from "aws-lambda";
import { job } from "./job.ts";

/**
 * Adds the new entries of all audit logs to the chains of their workspaces, and signs checkpoints. Stops before its time limit,
 * and the next run continues. Fails after the run, which sets off the alarm of the job, if a log could not be chained.
 */
export const handler = job(async (_event: unknown, context: Context): Promise<Chain.Run> => {
  const hasTime = withinShare(0.8, () => context.getRemainingTimeInMillis());
  const run = await Chain.chainAll(Config.auditKeys(), hasTime);
  log.info("audit logs chained", run);
  if (run.failed > 0) throw new Error(`${run.failed} audit logs were not chained. See the log.`);
  return run;
});
