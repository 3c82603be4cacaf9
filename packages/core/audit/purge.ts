import { sql } from "kysely";
import * as Clock from "../base/clock.ts";
import { firstId } from "../base/id.ts";
import * as Config from "../platform/config/config.ts";
import { deleteInBatches } from "../platform/db/delete-in-batches.ts";
import { db, type Reader } from "../platform/db/engine.ts";
import * as JobCursor from "../platform/db/job-cursor.ts";

const job = "purge-audit-logs";

/**
 * Deletes events past AUDIT_RETENTION_DAYS, which are the entries of audit logs. Without the variable it keeps all. Keeps the
 * event of a closed workspace until everything in the workspace is deleted, because `anonymize` finds the workspace by it.
 * The links of deleted events stay in the chain. Returns the number of deleted events.
 */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const days = Config.auditRetentionDays();
  if (days === undefined) return 0;
  // Once a day, because exports of logs without new entries verify only after `check-audit-logs` has signed them again. An event
  // that counts the failures of a minute has an id of its beginning, so a cutoff within a minute would delete events from after it.
  const cutoff = new Date(Math.floor(now.getTime() / 86_400_000 - days) * 86_400_000);
  // Ids begin with their creation time, so the primary key finds old events.
  const before = firstId("evt", cutoff);
  const previous = await purgedBefore(db());
  // Comes first, so that after a crash no deleted event looks as if it had been removed from the chain.
  if (!previous || previous < cutoff) await JobCursor.store(job, cutoff.toISOString(), now);
  const isNeeded = sql`action = 'workspace.closed' AND actor_id IN (
    SELECT id FROM users WHERE deleted_at IS NOT NULL AND erased_at IS NULL
  )`;
  return deleteInBatches("events", ["id"], sql`id < ${before} AND NOT (${isNeeded})`);
}

/** Returns the time before which the retention has deleted events, or null if it never has. */
export async function purgedBefore(reader: Reader): Promise<Date | null> {
  const row = await reader
    .selectFrom("job_cursors")
    .select("position")
    .where("job", "=", job)
    .executeTakeFirst();
  return row ? new Date(row.position) : null;
}
