import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { Id } from "../base/id.ts";
import * as Event from "../event/event.ts";
import type { Tx } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import * as Timer from "../tracking/time-entries/timer.ts";
import type { Membership } from "../workspace/authorization.ts";
import * as Invitation from "../workspace/invitations/invitation.ts";
import { maxOwnedWorkspaces } from "../workspace/limits.ts";
import { requireOwnerWithinLimit, type View } from "../workspace/workspace.ts";

export const Transfer = z.object({ userId: Id });
export type Transfer = z.infer<typeof Transfer>;

/**
 * Removes the caller from the workspace and its teams. Their time entries stay; a running timer is stopped. Throws
 * `conflict` `sole_owner` for the owner.
 */
export async function leave(
  actor: Actor,
  { workspaceId }: Membership,
  now: Date = Clock.now(),
): Promise<void> {
  await transaction(async (tx) => {
    const removed = await tx
      .deleteFrom("memberships")
      .where("workspace_id", "=", workspaceId)
      .where("user_id", "=", actor.userId)
      .where("role", "<>", "owner")
      .returning("user_id")
      .executeTakeFirst();
    if (!removed)
      throw new Fault(
        "conflict",
        "sole_owner",
        "The owner cannot leave a workspace. Transfer it to another member first.",
      );
    await removeMemberData(tx, actor, { workspaceId, userId: actor.userId }, now);
    const { name } = await tx
      .selectFrom("users")
      .select("name")
      .where("id", "=", actor.userId)
      .executeTakeFirstOrThrow();
    const target = { type: "user", id: actor.userId, name } as const;
    await Event.record(tx, actor, { action: "member.left", target, workspaceId }, now);
  });
}

/**
 * Transfers the workspace to another member. The caller becomes an admin. Throws `missing` `member_not_found`, `conflict`
 * `already_owner` if the member is the caller, `conflict` `limit_reached` if the member owns `maxOwnedWorkspaces`, and
 * `forbidden` `insufficient_role` if the caller is no longer the owner.
 */
export async function transfer(
  actor: Actor,
  { workspaceId }: Membership,
  { userId }: Transfer,
  now: Date = Clock.now(),
): Promise<View> {
  if (userId === actor.userId)
    throw new Fault("conflict", "already_owner", "You already own this workspace.");
  return transaction(async (tx) => {
    const ownership = { workspaceId, from: actor.userId, to: userId };
    const { requireTwoFactor, ...workspace } = await transferOwnership(tx, actor, ownership, now);
    await requireOwnerWithinLimit(
      tx,
      userId,
      `This member owns ${maxOwnedWorkspaces} workspaces, which is the maximum. Choose another member.`,
    );
    return {
      ...workspace,
      plan: workspace.plan as View["plan"],
      role: "admin" as const,
      requireTwoFactor: requireTwoFactor === true,
    };
  });
}

/**
 * Makes another active member the owner, records the event and returns the workspace. The former owner becomes an admin.
 * Throws like `transfer`.
 */
export async function transferOwnership(
  tx: Tx,
  by: Event.EventActor,
  { workspaceId, from, to }: { workspaceId: string; from: string; to: string },
  now: Date,
) {
  await swapOwner(tx, workspaceId, from, to);
  await Invitation.withdrawUngrantable(tx, workspaceId, from, "admin");
  const workspace = await tx
    .selectFrom("workspaces")
    .select(["id", "name", "plan", "base_currency as baseCurrency", "require_two_factor as requireTwoFactor"])
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  const target = { type: "workspace", id: workspaceId, name: workspace.name } as const;
  const changes = { owner: { before: from, after: to } };
  await Event.record(tx, by, { action: "workspace.transferred", target, workspaceId, changes }, now);
  return workspace;
}

/**
 * Makes the owner an admin and the other member the owner. Both updates check the current roles, so that concurrent transfers
 * cannot leave two owners.
 */
async function swapOwner(tx: Tx, workspaceId: string, ownerId: string, memberId: string): Promise<void> {
  const before = await tx
    .updateTable("memberships")
    .set({ role: "admin" })
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", ownerId)
    .where("role", "=", "owner")
    .returning("user_id")
    .executeTakeFirst();
  if (!before)
    throw new Fault("forbidden", "insufficient_role", "Only the owner can transfer the workspace.");
  const after = await tx
    .updateTable("memberships")
    .set({ role: "owner" })
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", memberId)
    .where("status", "=", "active")
    .returning("user_id")
    .executeTakeFirst();
  if (!after)
    throw new Fault(
      "missing",
      "member_not_found",
      "Member not found. Choose an active member of the workspace.",
    );
}

/**
 * Removes a departing member's data besides the membership, inside the caller's transaction: stops their running timer,
 * withdraws the invitations that they sent or received, and deletes their team memberships and API tokens in the workspace.
 */
export async function removeMemberData(
  tx: Tx,
  actor: Actor,
  member: { workspaceId: string; userId: string },
  now: Date,
): Promise<void> {
  const { workspaceId, userId } = member;
  await Timer.stopForDeparture(tx, actor, member, now);
  await Invitation.withdrawAll(tx, workspaceId, userId);
  await tx
    .deleteFrom("team_members")
    .where("user_id", "=", userId)
    .where("team_id", "in", (select) =>
      select.selectFrom("teams").select("teams.id").where("teams.workspace_id", "=", workspaceId),
    )
    .execute();
  await tx
    .deleteFrom("api_tokens")
    .where("user_id", "=", userId)
    .where("workspace_id", "=", workspaceId)
    .execute();
}
