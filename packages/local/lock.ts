import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Fault } from "@svc/core/base/fault";

/** SQLITE_BUSY */
const busy = 5;

/**
 * Locks a directory for this process and returns a function that unlocks it. Uses SQLite's lock on a file in the directory,
 * which the operating system releases when the process ends, so the lock is never stale. Throws `conflict` `data_in_use` if
 * another process holds the lock.
 */
export function lockDirectory(directory: string): () => void {
  const file = new DatabaseSync(join(directory, "lock"), { timeout: 0 });
  try {
    // The file is never written, so it needs no journal file.
    file.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (cause) {
    file.close();
    if ((cause as { errcode?: number }).errcode !== busy) throw cause;
    throw new Fault(
      "conflict",
      "data_in_use",
      `Another svc process already uses ${directory}. Stop it, or set SVC_DATA to another directory.`,
      { cause },
    );
  }
  return () => file.close();
}
