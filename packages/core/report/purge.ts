import * as Clock from "../base/clock.ts";
import { db } from "../platform/db/engine.ts";
import { filesBucket } from "./bucket.ts";
import { type Format, objectKey } from "./object-key.ts";

/** Reports per run. The next run continues. */
const maxReports = 1000;

/**
 * Deletes expired report files, each before its row, so that a file that cannot be deleted is retried. Returns the number of
 * deleted reports. Throws `upstream` `storage_unavailable`.
 */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const rows = await db()
    .selectFrom("reports")
    .select(["id", "workspace_id", "format"])
    .where("expires_at", "<=", now)
    .orderBy("expires_at")
    .limit(maxReports)
    .execute();
  for (const { id, workspace_id, format } of rows) {
    await filesBucket().remove(objectKey(workspace_id, id, format as Format));
    await db().deleteFrom("reports").where("id", "=", id).execute();
  }
  return rows.length;
}
