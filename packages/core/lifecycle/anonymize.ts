import { sql } from "kysely";
import * as AuditProof from "../audit/proof/remove.ts";
import * as Clock from "../base/clock.ts";
import * as Consent from "../consent/consent.ts";
import type { WebhookEventType } from "../event/catalog.ts";
import type { ColumnsThatAre } from "../event/columns.ts";
import { formerName } from "../event/erasure.ts";
import { batchRows, deleteBatch } from "../platform/db/delete-in-batches.ts";
import { db, type Tx } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { log } from "../platform/log/log.ts";
import * as Sums from "../tracking/amounts/sums.ts";
import { tablesWith, workspaceTables } from "./deletion-rules.ts";

/** The webhook event whose data contains IP addresses and countries of a user. */
const signInEvent = "security.suspicious_login" satisfies WebhookEventType;

/**
 * How long `finishInterrupted` looks for remaining data of a deleted account: calls that were running when it was deleted may
 * have recorded events later.
 */
const settlingHours = 24;

/**
 * Removes the personal data that remains after an account was deleted: deletes the login history, anonymizes the user's audit
 * log entries and consent choices, deletes the webhook deliveries of their sign-ins, and deletes everything in workspaces that closed with the account. Works in batches and can
 * be repeated after a crash. Returns the number of processed rows.
 */
export async function anonymize(userId: string): Promise<number> {
  let processed = 0;
  for (const step of [
    deleteClosedWorkspaces,
    deleteLogins,
    clearOrigins,
    clearTargetNames,
    deleteSignInDeliveries,
    clearEventsAbout,
    clearConsents,
  ]) {
    for (let rows = batchRows; rows > 0; processed += rows)
      rows = await transaction((tx) => step(tx, userId));
  }
  return processed;
}

/**
 * Finishes interrupted deletions, however old, and marks the accounts that are more than `settlingHours` past their deletion
 * as erased. An account that fails is logged and does not stop the others. Returns the number of processed rows.
 */
export async function finishInterrupted(now: Date = Clock.now()): Promise<number> {
  const settled = new Date(now.getTime() - settlingHours * 3_600_000);
  let processed = 0;
  let failure: unknown;
  for await (const { id, deleted_at } of notErased())
    try {
      processed += await anonymize(id);
      if (deleted_at && deleted_at < settled)
        await db().updateTable("users").set({ erased_at: now }).where("id", "=", id).execute();
    } catch (error) {
      failure ??= error;
      log.error("account not erased", { userId: id, error: error as Error });
    }
  if (failure) throw failure;
  return processed;
}

/** Reads the deleted accounts that are not marked as erased. */
async function* notErased() {
  for (let after = ""; ; ) {
    const users = await db()
      .selectFrom("users")
      .select(["id", "deleted_at"])
      .where("deleted_at", "is not", null)
      .where("erased_at", "is", null)
      .where("id", ">", after)
      .orderBy("id")
      .limit(batchRows)
      .execute();
    yield* users;
    after = users.at(-1)?.id ?? "";
    if (users.length < batchRows) return;
  }
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
        .limit(batchRows)
        .execute();
      if (rows.length === 0) continue;
      const ids = rows.map(({ id }) => id);
      const dependent = await deleteDependent(tx, table, ids);
      if (dependent > 0) return dependent;
      await tx.deleteFrom(table).where("id", "in", ids).execute();
      return rows.length;
    }
  for (const { target_id: workspaceId } of closed) {
    const deleted = await AuditProof.removeBatch(tx, workspaceId);
    if (deleted > 0) return deleted;
  }
  return 0;
}

/** Deletes a batch of the rows that refer to these rows, such as the sums of projects and the attempts of deliveries. */
async function deleteDependent(tx: Tx, table: string, ids: readonly string[]): Promise<number> {
  if (table === "projects") {
    const ofProjects = sql`project_id IN (${sql.join(ids)})`;
    return (
      (await deleteBatch(tx, "budget_warnings", ["project_id", "period", "threshold"], ofProjects)) ||
      (await deleteBatch(tx, "project_guards", ["project_id", "shard"], ofProjects)) ||
      (await deleteBatch(tx, "project_sums", Sums.key, ofProjects))
    );
  }
  if (table === "webhook_deliveries") {
    const ofDeliveries = sql`delivery_id IN (${sql.join(ids)})`;
    return deleteBatch(tx, "webhook_attempts", ["delivery_id", "number"], ofDeliveries);
  }
  return 0;
}

function deleteLogins(tx: Tx, userId: string): Promise<number> {
  return deleteBatch(tx, "logins", ["id"], sql`user_id = ${userId}`);
}

function clearConsents(tx: Tx, userId: string): Promise<number> {
  return Consent.clearUser(tx, userId, batchRows);
}

/** The values of columns that tell from where a user acted, for an erased user. */
const noOrigin = {
  ip: "",
  country: "",
  city: "",
  user_agent: "",
} as const satisfies { [Column in ColumnsThatAre<"personal">]?: "" };

/** Clears the origin of events by the user. */
async function clearOrigins(tx: Tx, userId: string): Promise<number> {
  const updated = await tx
    .updateTable("events")
    .set({ ...noOrigin, origin_salt: null })
    .where("id", "in", (select) =>
      select
        .selectFrom("events")
        .select("id")
        .where("actor_id", "=", userId)
        .where(({ eb, or }) =>
          or((["ip", "country", "city", "user_agent"] as const).map((column) => eb(column, "<>", ""))),
        )
        .limit(batchRows),
    )
    .executeTakeFirst();
  return Number(updated.numUpdatedRows);
}

/** Clears the names in events about the user's devices, tokens and sessions. */
async function clearTargetNames(tx: Tx, userId: string): Promise<number> {
  const updated = await tx
    .updateTable("events")
    .set({ target_name: "", changes: "{}", name_salt: null, changes_salt: null })
    .where("id", "in", (select) =>
      select
        .selectFrom("events")
        .select("id")
        .where("actor_id", "=", userId)
        .where("target_type", "in", ["device", "token", "session"])
        .where("target_name", "<>", "")
        .limit(batchRows),
    )
    .executeTakeFirst();
  return Number(updated.numUpdatedRows);
}

/**
 * Deletes the deliveries of events with sign-in locations of the user, with their attempts.
 */
async function deleteSignInDeliveries(tx: Tx, userId: string): Promise<number> {
  const deliveries = await tx
    .selectFrom("events")
    .innerJoin("webhook_deliveries", "webhook_deliveries.event_id", "events.id")
    .select("webhook_deliveries.id")
    .where("events.target_type", "=", "user")
    .where("events.target_id", "=", userId)
    .where("webhook_deliveries.type", "=", sql.lit(signInEvent))
    .limit(batchRows)
    .execute();
  if (deliveries.length === 0) return 0;
  const ids = deliveries.map(({ id }) => id);
  const attempts = await deleteDependent(tx, "webhook_deliveries", ids);
  if (attempts > 0) return attempts;
  await tx.deleteFrom("webhook_deliveries").where("id", "in", ids).execute();
  return ids.length;
}

/** Clears the user's name from events about them, and the changes of those with profile data or sign-in locations. */
async function clearEventsAbout(tx: Tx, userId: string): Promise<number> {
  const hasPersonalChanges = sql`action LIKE 'user.%' OR action LIKE 'security.%'`;
  const updated = await tx
    .updateTable("events")
    .set({
      target_name: formerName,
      changes: sql`CASE WHEN ${hasPersonalChanges} THEN '{}'::jsonb ELSE changes END`,
      data: null,
      name_salt: null,
      changes_salt: sql`CASE WHEN ${hasPersonalChanges} THEN NULL ELSE changes_salt END`,
      data_salt: null,
    })
    .where("id", "in", (select) =>
      select
        .selectFrom("events")
        .select("id")
        .where("target_type", "=", "user")
        .where("target_id", "=", userId)
        .where("target_name", "<>", formerName)
        .limit(batchRows),
    )
    .executeTakeFirst();
  return Number(updated.numUpdatedRows);
}
