import type { Actor } from "../../base/actor.ts";
import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../platform/db/engine.ts";
import { type Membership, reaches, rolesBelow } from "../authorization.ts";

/**
 * Requires that the caller may correct the time entries of another user: admins and the owner those of everyone, also of former
 * members; managers those of members with a lower role who share a team with them. Throws `forbidden` `insufficient_role`.
 */
export async function requireCorrectable(
  tx: Tx,
  actor: Actor,
  membership: Membership,
  userId: string,
): Promise<void> {
  if (reaches(membership.role, "admin")) return;
  if (reaches(membership.role, "manager") && (await manages(tx, actor, membership, userId))) return;
  throw new Fault(
    "forbidden",
    "insufficient_role",
    "Managers can change the time entries of members in their teams, admins those of everyone.",
  );
}

/** Tells whether a user shares a team of the workspace with the caller and has a role below the caller's. */
async function manages(
  tx: Tx,
  actor: Actor,
  { workspaceId, role }: Membership,
  userId: string,
): Promise<boolean> {
  const found = await tx
    .selectFrom("memberships")
    .innerJoin("team_members as theirs", "theirs.user_id", "memberships.user_id")
    .innerJoin("team_members as own", "own.team_id", "theirs.team_id")
    .innerJoin("teams", "teams.id", "theirs.team_id")
    .select("memberships.user_id")
    .where("memberships.workspace_id", "=", workspaceId)
    .where("memberships.user_id", "=", userId)
    .where("memberships.role", "in", rolesBelow(role))
    .where("own.user_id", "=", actor.userId)
    .where("teams.workspace_id", "=", workspaceId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
