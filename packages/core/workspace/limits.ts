import { Fault } from "../base/fault.ts";
import type { Tx } from "../platform/db/engine.ts";

/** How many workspaces one account can own. */
export const maxOwnedWorkspaces = 20;

/** How many teams a workspace can have. */
export const maxTeams = 500;

/** How many projects of a workspace can be active. Archived ones do not count. */
export const maxActiveProjects = 5000;

/**
 * Makes concurrent transactions that lock the same row conflict, so that one of them runs again and counts the rows of the
 * other. Without it, two transactions could both add the last row that a limit allows.
 */
export async function lock(tx: Tx, table: "workspaces" | "users", id: string): Promise<void> {
  // SELECT FOR UPDATE would not do: under snapshot isolation, only a written row fails the later transaction.
  await tx
    .updateTable(table)
    .set(({ ref }) => ({ updated_at: ref("updated_at") }))
    .where("id", "=", id)
    .execute();
}

/** Returns the fault for one more than a limit allows. */
export function limitReached(limit: number, message: string): Fault {
  return new Fault("conflict", "limit_reached", message, { extra: { limit } });
}
