import { sql } from "kysely";
import * as Clock from "../base/clock.ts";
import { db, type Tx } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { tablesWith, workspaceTables } from "./deletion-rules.ts";

/** Replaces the name of a deleted user in lists and reports. */
export const formerName = "Deleted user";

/** Rows per transaction. Aurora DSQL limits a transaction to about 3,000 written rows. */
const batchSize = 500;

/** Rows per transaction of tables with dependent rows: a project's budget warnings, a delivery's attempts. */
const smallBatch = 20;

/**
 * Removes the personal data that remains after an account was deleted: deletes the login history, anonymizes the user's audit
 * log entries, and deletes everything in workspaces that closed with the account. Works in batches and can be repeated after
 * a crash. Returns the number of processed rows.
 */
export async function anonymize(userId: string): Promise<number> {
  let processed = 0;
  for (const step of [
    deleteClosedWorkspaces,
    deleteLogins,
    clearOrigins,
    clearTargetNames,
    clearEventsAbout,
  ]) {
    for (let rows = batchSize; rows > 0; processed += rows)
      rows = await transaction((tx) => step(tx, userId));
  }
  return processed;
}

/** Finishes interrupted deletions of the last seven days. Returns the number of processed rows. */
export async function finishInterrupted(now: Date = Clock.now()): Promise<number> {
  const users = await db()
    .selectFrom("users")
    .select("id")
    .where("deleted_at", ">", new Date(now.getTime() - 7 * 86_400_000))
    .execute();
  let processed = 0;
  for (const { id } of users) processed += await anonymize(id);
  return processed;
}

/** Deletes the contents of workspaces that closed with the account. */
async function deleteClosedWorkspaces(tx: Tx, userId: string): Promise<number> {
  const closed = await tx
    .selectFrom("events")
    .select("target_id")
    .where("actor_id", "=", userId)
    .where("action", "=", "workspace.closed")
    .execute();
  for (const { target_id: workspaceId } of closed)
    for (const table of tablesWith(workspaceTables, "batched")) {
      const rows = await tx
        .selectFrom(table)
        .select("id")
        .where("workspace_id", "=", workspaceId)
        .limit(table === "projects" || table === "webhook_deliveries" ? smallBatch : batchSize)
        .execute();
      if (rows.length === 0) continue;
      const ids = rows.map(({ id }) => id);
      if (table === "projects")
        await tx.deleteFrom("budget_warnings").where("project_id", "in", ids).execute();
      if (table === "webhook_deliveries")
        await tx.deleteFrom("webhook_attempts").where("delivery_id", "in", ids).execute();
      await tx.deleteFrom(table).where("id", "in", ids).execute();
      return rows.length;
    }
  return 0;
}

async function deleteLogins(tx: Tx, userId: string): Promise<number> {
  const deleted = await tx
    .deleteFrom("logins")
    .where("id", "in", (select) =>
      select.selectFrom("logins").select("id").where("user_id", "=", userId).limit(batchSize),
    )
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

/** Clears the IP address and user agent of events by the user. */
async function clearOrigins(tx: Tx, userId: string): Promise<number> {
  const updated = await tx
    .updateTable("events")
    .set({ ip: "", user_agent: "" })
    .where("id", "in", (select) =>
      select
        .selectFrom("events")
        .select("id")
        .where("actor_id", "=", userId)
        .where((or) => or.or([or("ip", "<>", ""), or("user_agent", "<>", "")]))
        .limit(batchSize),
    )
    .executeTakeFirst();
  return Number(updated.numUpdatedRows);
}

/** Clears the names in events about the user's devices, tokens and sessions. */
async function clearTargetNames(tx: Tx, userId: string): Promise<number> {
  const updated = await tx
    .updateTable("events")
    .set({ target_name: "", changes: "{}" })
    .where("id", "in", (select) =>
      select
        .selectFrom("events")
        .select("id")
        .where("actor_id", "=", userId)
        .where("target_type", "in", ["device", "token", "session"])
        .where("target_name", "<>", "")
        .limit(batchSize),
    )
    .executeTakeFirst();
  return Number(updated.numUpdatedRows);
}

/** Clears the user's name from events about them, and the changes of those with profile data or sign-in locations. */
async function clearEventsAbout(tx: Tx, userId: string): Promise<number> {
  const updated = await tx
    .updateTable("events")
    .set({
      target_name: formerName,
      changes: sql`CASE WHEN action LIKE 'user.%' OR action LIKE 'security.%' THEN '{}'::jsonb ELSE changes END`,
      data: null,
    })
    .where("id", "in", (select) =>
      select
        .selectFrom("events")
        .select("id")
        .where("target_type", "=", "user")
        .where("target_id", "=", userId)
        .where("target_name", "<>", formerName)
        .limit(batchSize),
    )
    .executeTakeFirst();
  return Number(updated.numUpdatedRows);
}
