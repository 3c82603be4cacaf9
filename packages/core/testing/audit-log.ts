import { chainAll, type Run } from "../audit/proof/chain.ts";
import * as Clock from "../base/clock.ts";
import * as Config from "../platform/config/config.ts";
import * as JobCursor from "../platform/db/job-cursor.ts";

/** Chains all entries of audit logs from before `at`, although they are recent, and although an earlier test had a later time. */
export async function chainUntil(at: Date = Clock.now()): Promise<Run> {
  await JobCursor.store("chain-audit-logs", "");
  return chainAll(Config.auditKeys(), () => true, new Date(at.getTime() + 3_600_000));
}
