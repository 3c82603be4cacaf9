import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { newId } from "../../base/id.ts";
import { Name } from "../../base/text.ts";
import * as Event from "../../event/event.ts";
import { db } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { authorizeMember, type Membership, memberships, type Required } from "../authorization.ts";

export const View = z.object({
  id: z.string(),
  workspaceId: z.string(),
  name: z.string(),
  memberCount: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type View = z.infer<typeof View>;

export const Create = z.object({ name: Name });
export type Create = z.infer<typeof Create>;

export const Update = z.partial(Create);
export type Update = z.infer<typeof Update>;

/** A caller's membership in a workspace, and one of its teams. */
export type TeamMembership = Membership & { teamId: string };

const missing = () =>
  new Fault("missing", "team_not_found", "Team not found, or you are not a member of its workspace.");

/**
 * Returns the caller's membership in the workspace of a team. Throws `missing` `team_not_found` for an unknown team and for
 * one of another workspace alike, then the errors of `authorizeMember`.
 */
export async function authorize(
  actor: Actor,
  teamId: string,
  required: Required = {},
): Promise<TeamMembership> {
  let query = memberships()
    .innerJoin("teams", "teams.workspace_id", "workspaces.id")
    .where("teams.id", "=", teamId)
    .where("memberships.user_id", "=", actor.userId)
    .where("memberships.status", "=", "active");
  if (actor.grant) query = query.where("workspaces.id", "=", actor.grant.workspaceId);
  const row = await query.executeTakeFirst();
  if (!row) throw missing();
  return { ...(await authorizeMember(actor, row, required)), teamId };
}

/** Lists all teams of a workspace by name. */
export async function list(workspaceId: string): Promise<View[]> {
  const rows = await selection().where("teams.workspace_id", "=", workspaceId).execute();
  return rows.map(view);
}

/** Returns one team. Throws `missing` `team_not_found` if it was deleted meanwhile. */
export async function get({ teamId, workspaceId }: TeamMembership): Promise<View> {
  const row = await selection()
    .where("teams.id", "=", teamId)
    .where("teams.workspace_id", "=", workspaceId)
    .executeTakeFirst();
  if (!row) throw missing();
  return view(row);
}

/** Creates a team with the caller as its first member. */
export async function create(
  actor: Actor,
  { workspaceId }: Membership,
  { name }: Create,
  now: Date = Clock.now(),
): Promise<View> {
  const id = newId("team", now);
  await transaction(async (tx) => {
    await tx
      .insertInto("teams")
      .values({ id, workspace_id: workspaceId, name, created_at: now, updated_at: now })
      .execute();
    await tx
      .insertInto("team_members")
      .values({ team_id: id, user_id: actor.userId, joined_at: now })
      .execute();
    await Event.record(
      tx,
      actor,
      { action: "team.created", target: { type: "team", id, name }, workspaceId },
      now,
    );
  });
  return {
    id,
    workspaceId,
    name,
    memberCount: 1,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
}

/** Renames a team. Throws `missing` `team_not_found`. */
export async function update(
  actor: Actor,
  membership: TeamMembership,
  { name }: Update,
  now: Date = Clock.now(),
): Promise<View> {
  await transaction(async (tx) => {
    const before = await tx
      .selectFrom("teams")
      .select("name")
      .where("id", "=", membership.teamId)
      .executeTakeFirst();
    if (!before) throw missing();
    if (name === undefined || name === before.name) return;
    await tx
      .updateTable("teams")
      .set({ name, updated_at: now })
      .where("id", "=", membership.teamId)
      .execute();
    const target = { type: "team", id: membership.teamId, name } as const;
    const changes = { name: { before: before.name, after: name } };
    await Event.record(
      tx,
      actor,
      { action: "team.updated", target, workspaceId: membership.workspaceId, changes },
      now,
    );
  });
  return get(membership);
}

/** Deletes a team. Its members stay in the workspace. Throws `conflict` `last_team` for the only team of a workspace. */
export async function remove(
  actor: Actor,
  { teamId, workspaceId }: TeamMembership,
  now: Date = Clock.now(),
): Promise<void> {
  await transaction(async (tx) => {
    // Updates the workspace row, so that concurrent deletions of the last two teams cause a write conflict.
    await tx.updateTable("workspaces").set({ updated_at: now }).where("id", "=", workspaceId).execute();
    const teams = await tx
      .selectFrom("teams")
      .select(["id", "name"])
      .where("workspace_id", "=", workspaceId)
      .execute();
    const team = teams.find(({ id }) => id === teamId);
    if (!team) throw missing();
    if (teams.length === 1)
      throw new Fault(
        "conflict",
        "last_team",
        "This is the only team of its workspace. Create another one first.",
      );
    await tx.deleteFrom("team_members").where("team_id", "=", teamId).execute();
    await tx.deleteFrom("invitations").where("team_id", "=", teamId).execute();
    await tx.deleteFrom("teams").where("id", "=", teamId).execute();
    await Event.record(
      tx,
      actor,
      { action: "team.deleted", target: { type: "team", ...team }, workspaceId },
      now,
    );
  });
}

function selection() {
  return db()
    .selectFrom("teams")
    .select(["teams.id", "teams.workspace_id", "teams.name", "teams.created_at", "teams.updated_at"])
    .select(({ selectFrom, fn }) =>
      selectFrom("team_members")
        .select(fn.countAll<bigint>().as("count"))
        .whereRef("team_members.team_id", "=", "teams.id")
        .as("member_count"),
    )
    .orderBy("teams.name")
    .orderBy("teams.id");
}

type TeamRow = Awaited<ReturnType<ReturnType<typeof selection>["execute"]>>[number];

function view(row: TeamRow): View {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    memberCount: Number(row.member_count),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
