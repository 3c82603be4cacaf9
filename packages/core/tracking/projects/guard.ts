import { createHash } from "node:crypto";
import { sql } from "kysely";
import * as Clock from "../../base/clock.ts";
import { deleteInBatches } from "../../platform/db/delete-in-batches.ts";
import type { Tx } from "../../platform/db/engine.ts";

/**
 * Rows over which the guard of a project is spread. With one row, all changes of a project's entries would conflict with
 * each other. With 64, 200 transactions of 60 ms at once commit within 9 attempts.
 */
export const shards = 64;

/** Longer than any transaction: Aurora DSQL ends one after 5 minutes. */
const longestTransactionMs = 3_600_000;

/**
 * Makes the transaction, in which the user changes an entry of the project, conflict with archiving and deleting the
 * project, so that one of the two is retried. Changes by different users rarely conflict with each other.
 */
export async function enter(tx: Tx, projectId: string, userId: string): Promise<void> {
  await write(tx, projectId, [shardOf(userId)], null);
}

/** Makes the transaction, which archives or deletes the project, conflict with every concurrent change of its entries. */
export async function close(tx: Tx, projectId: string, deletedAt: Date | null = null): Promise<void> {
  await write(tx, projectId, [...Array(shards).keys()], deletedAt);
}

/** Deletes the guards of deleted projects, once no transaction that read the project can be open. Returns their number. */
export function purge(now: Date = Clock.now()): Promise<number> {
  const before = new Date(now.getTime() - longestTransactionMs);
  return deleteInBatches("project_guards", ["project_id", "shard"], sql`deleted_at < ${before}`);
}

async function write(tx: Tx, projectId: string, shards: number[], deletedAt: Date | null): Promise<void> {
  const rows = shards.map((shard) => ({ project_id: projectId, shard, deleted_at: deletedAt }));
  await tx
    .insertInto("project_guards")
    .values(rows)
    // Under snapshot isolation, only a written row fails the later transaction, even if its values stay the same.
    .onConflict((conflict) =>
      conflict.columns(["project_id", "shard"]).doUpdateSet({ deleted_at: deletedAt }),
    )
    .execute();
}

function shardOf(userId: string): number {
  return createHash("sha256").update(userId).digest().readUInt8() % shards;
}
