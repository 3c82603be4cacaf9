import { type Run as AuditRun, auditCorrections } from "@svc/core/money/feeds/audit-corrections";
import { fetchHistory, type History } from "@svc/core/money/feeds/history";
import * as Refresh from "@svc/core/money/feeds/refresh";
import { withinShare } from "@svc/core/platform/db/job-cursor";
import { log } from "@svc/core/platform/log/log";
import type { Context } from "aws-lambda";
import { job } from "./job.ts";

/**
 * Fetches the rates that the central banks have published, then older ones that time entries need, and records corrected rates in
 * audit logs. Stops before its time limit, and the next run continues. `{"accept":["EGP"]}` releases the quarantined rates of
 * these currencies.
 */
export const handler = job(
  async (
    event: unknown,
    context: Context,
  ): Promise<Refresh.Refreshed & { history: History; audited: AuditRun }> => {
    const remainingMs = () => context.getRemainingTimeInMillis();
    const refreshed = await Refresh.refresh(Refresh.Refresh.parse(event ?? {}));
    const history = await fetchHistory(withinShare(0.5, remainingMs));
    const audited = await auditCorrections(context.awsRequestId, withinShare(0.8, remainingMs));
    // An alarm counts this message: stacks/alarms.ts.
    log.info("rates refreshed", { ...refreshed, history, audited, staleSources: refreshed.stale.length });
    return { ...refreshed, history, audited };
  },
);
