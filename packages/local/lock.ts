import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Fault } from "@svc/core/base/fault";

/** SQLITE_BUSY */
const busy = 5;

/**
 * Claim a directory for this process, until the function it answers is called. The claim is SQLite's lock on a file in
 * it: the system itself lets go of that when the process ends, however it ends, so none is ever stale. Throws a
 * fault `data_in_use` when another holds it.
 */
export function claim(directory: string): () => void {
  const file = new DatabaseSync(join(directory, "lock"), { timeout: 0 });
  try {
    // Nothing is ever written, so nothing needs a journal beside it.
    file.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (cause) {
    file.close();
    if ((cause as { errcode?: number }).errcode !== busy) throw cause;
    throw new Fault(
      "conflict",
      "data_in_use",
      `Another svc already runs on ${directory}. Stop it first, or set SVC_DATA to another directory.`,
      { cause },
    );
  }
  return () => file.close();
}
