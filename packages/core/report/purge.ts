import * as Clock from "../base/clock.ts";
import { db } from "../platform/db/engine.ts";
import { filesBucket } from "./files.ts";
import { type Format, objectKey } from "./object-key.ts";

/** So many files go in one run; what is left goes in the next. */
const most = 1000;

/**
 * Remove the files of reports that are not kept any longer, and then their rows: a file that cannot be removed keeps its row
 * and is tried again. Answers how many went. Throws 502 `storage_unavailable`.
 */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const rows = await db()
    .selectFrom("reports")
    .select(["id", "workspace_id", "format"])
    .where("expires_at", "<=", now)
    .orderBy("expires_at")
    .limit(most)
    .execute();
  for (const { id, workspace_id, format } of rows) {
    await filesBucket().remove(objectKey(workspace_id, id, format as Format));
    await db().deleteFrom("reports").where("id", "=", id).execute();
  }
  return rows.length;
}
