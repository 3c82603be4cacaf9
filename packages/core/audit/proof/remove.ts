import { sql } from "kysely";
import { deleteBatch } from "../../platform/db/delete-in-batches.ts";
import type { Tx } from "../../platform/db/engine.ts";

/** Deletes a batch of the links and checkpoints of a closed workspace, and returns how many. */
export async function removeBatch(tx: Tx, workspaceId: string): Promise<number> {
  const ofWorkspace = sql`workspace_id = ${workspaceId}`;
  return (
    (await deleteBatch(tx, "audit_links", ["workspace_id", "sequence"], ofWorkspace)) ||
    (await deleteBatch(tx, "audit_checkpoints", ["workspace_id", "day"], ofWorkspace))
  );
}
