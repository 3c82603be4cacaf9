import { type Selectable, sql } from "kysely";
import type * as Event from "../event/event.ts";
import { db } from "../platform/db/engine.ts";
import type { Events } from "../platform/db/schema.ts";
import { type Role, seesMoney } from "../workspace/authorization.ts";

type Row = Selectable<Events>;

const moneyFields = ["hourlyRate", "budget", "amount"];

/**
 * Returns a function that returns the changes of one of these events: without money if the user does not see that of its
 * workspace. A user who was a manager has recorded hourly rates and budgets, and changed the entries of others.
 */
export async function moneyFilter(
  userId: string,
  rows: readonly Row[],
): Promise<(row: Row) => Row["changes"]> {
  const [visible, own] = await Promise.all([workspacesWithMoney(userId), ownEntries(userId, rows)]);
  const isOwn = ({ action, target_id, changes }: Row) => {
    const owner = changes.userId as Event.Change | undefined;
    if (owner) return (owner.after ?? owner.before) === userId;
    // Events of earlier releases name no owner: only stopped timers can be those of others.
    return action !== "time_entry.stopped" || own.has(target_id);
  };
  const isVisible = (row: Row) =>
    row.workspace_id === null ||
    visible.has(row.workspace_id) ||
    (row.target_type === "time_entry" && isOwn(row));
  return (row) => (isVisible(row) ? row.changes : withoutMoney(row.changes));
}

function withoutMoney(changes: Row["changes"]): Row["changes"] {
  return Object.fromEntries(Object.entries(changes).filter(([field]) => !moneyFields.includes(field)));
}

/** Returns the ids of the workspaces in which a user sees hourly rates and budgets. */
async function workspacesWithMoney(userId: string): Promise<Set<string>> {
  const rows = await db()
    .selectFrom("memberships")
    .innerJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .select(["workspaces.id", "memberships.role", "workspaces.members_see_money"])
    .where("memberships.user_id", "=", userId)
    .where("memberships.status", "=", "active")
    .execute();
  return new Set(
    rows
      .filter(({ role, members_see_money }) => seesMoney(role as Role, members_see_money))
      .map(({ id }) => id),
  );
}

/** Returns the ids of the entries in these events that belong to the user. */
async function ownEntries(userId: string, rows: readonly Row[]): Promise<Set<string>> {
  const stopped = rows.filter(({ action }) => action === "time_entry.stopped");
  // A single JSON parameter, because an export has thousands of events.
  const ids = JSON.stringify(stopped.map(({ target_id }) => target_id));
  const found = await sql<{ id: string }>`SELECT id FROM time_entries
    WHERE user_id = ${userId} AND id IN (SELECT jsonb_array_elements_text(${ids}::jsonb))`.execute(db());
  return new Set(found.rows.map(({ id }) => id));
}
