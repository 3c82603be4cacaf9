import { sql } from "kysely";
import * as Clock from "../base/clock.ts";
import { db, type Tx } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { ofWorkspaces, tables } from "./footprint.ts";

/** Who once was somebody, in lists and reports. */
export const formerName = "Deleted user";

/** What is scrubbed at once: Aurora DSQL writes about 3,000 rows in a transaction. */
const batchSize = 500;

/** Of what has rows of its own: a project its warnings, one a month and threshold at most, a delivery its attempts. */
const smallBatch = 20;

/**
 * What is left of a deleted person: the history of logins goes, entries of the audit log keep what was done and lose who
 * it was, and workspaces that closed with the account lose everything. In batches, since there may be many; what a crash
 * leaves over, the next run takes. Answers how many rows it went over.
 */
export async function scrub(userId: string): Promise<number> {
  let scrubbed = 0;
  for (const step of [contents, logins, ownEvents, ownThings, eventsAbout]) {
    for (let rows = batchSize; rows > 0; scrubbed += rows) rows = await transaction((tx) => step(tx, userId));
  }
  return scrubbed;
}

/** Finish deletions that were interrupted. Answers how many rows were left. */
export async function finish(now: Date = Clock.now()): Promise<number> {
  const people = await db()
    .selectFrom("users")
    .select("id")
    .where("deleted_at", ">", new Date(now.getTime() - 7 * 86_400_000))
    .execute();
  let scrubbed = 0;
  for (const { id } of people) scrubbed += await scrub(id);
  return scrubbed;
}

/** What was in the workspaces that closed with the account. */
async function contents(tx: Tx, userId: string): Promise<number> {
  const closed = await tx
    .selectFrom("events")
    .select("target_id")
    .where("actor_id", "=", userId)
    .where("action", "=", "workspace.closed")
    .execute();
  for (const { target_id: workspaceId } of closed)
    for (const table of tables(ofWorkspaces, "batches")) {
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

async function logins(tx: Tx, userId: string): Promise<number> {
  const gone = await tx
    .deleteFrom("logins")
    .where("id", "in", (select) =>
      select.selectFrom("logins").select("id").where("user_id", "=", userId).limit(batchSize),
    )
    .executeTakeFirst();
  return Number(gone.numDeletedRows);
}

async function ownEvents(tx: Tx, userId: string): Promise<number> {
  const changed = await tx
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
  return Number(changed.numUpdatedRows);
}

/** Devices and tokens have names that people gave them. */
async function ownThings(tx: Tx, userId: string): Promise<number> {
  const changed = await tx
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
  return Number(changed.numUpdatedRows);
}

/** Changes of a profile hold names and numbers, and a suspicious login says where somebody was. */
async function eventsAbout(tx: Tx, userId: string): Promise<number> {
  const changed = await tx
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
  return Number(changed.numUpdatedRows);
}
