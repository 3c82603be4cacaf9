import { batchRows } from "../platform/db/delete-in-batches.ts";
import { db } from "../platform/db/engine.ts";
import { filesBucket } from "../report/bucket.ts";

/** Concurrent requests to the bucket. */
const concurrency = 20;

/**
 * Writes the erasures that are not in the files bucket yet: an empty object each, whose key says what was erased. Repeating
 * an interrupted run writes the same objects again. Returns their number. Throws `upstream` `storage_unavailable`.
 */
export async function recordErasures(): Promise<number> {
  for (let recorded = 0; ; ) {
    const rows = await db().selectFrom("unrecorded_erasures").select("key").limit(batchRows).execute();
    const keys = rows.map(({ key }) => key);
    for (let at = 0; at < keys.length; at += concurrency)
      await Promise.all(keys.slice(at, at + concurrency).map(put));
    if (keys.length > 0) await db().deleteFrom("unrecorded_erasures").where("key", "in", keys).execute();
    recorded += keys.length;
    if (keys.length < batchRows) return recorded;
  }
}

function put(key: string) {
  return filesBucket().put(key, new Uint8Array(), { contentType: "text/plain" });
}
