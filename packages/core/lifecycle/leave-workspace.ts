import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { idPattern } from "../base/id.ts";
import * as Event from "../event/event.ts";
import type { Tx } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import * as Timer from "../tracking/time-entries/timer.ts";
import type { Membership } from "../workspace/authorization.ts";
import type { View } from "../workspace/workspace.ts";

export const Transfer = z.object({ userId: z.string().check(z.regex(idPattern)) });
export type Transfer = z.infer<typeof Transfer>;

/** Go, and out of all teams there. What the person did stays, and a running timer is stopped. Throws 409 `sole_owner` for the owner. */
export async function leave(
  actor: Actor,
  { workspaceId }: Membership,
  now: Date = Clock.now(),
): Promise<void> {
  await transaction(async (tx) => {
    const gone = await tx
      .deleteFrom("memberships")
      .where("workspace_id", "=", workspaceId)
      .where("user_id", "=", actor.userId)
      .where("role", "<>", "owner")
      .returning("user_id")
      .executeTakeFirst();
    if (!gone)
      throw new Fault(
        "conflict",
        "sole_owner",
        "A workspace has an owner: hand it over to somebody, then leave.",
      );
    await forget(tx, actor, workspaceId, now);
    const { name } = await person(tx, actor.userId);
    const target = { type: "user", id: actor.userId, name } as const;
    await Event.record(tx, actor, { action: "member.left", target, workspaceId }, now);
  });
}

/**
 * Hand the workspace over to another member: they own it from now on, and the caller is an admin. Throws 404
 * `member_not_found`, 409 `already_owner` for the owner themselves, and 403 `insufficient_role` when somebody else owns it
 * meanwhile.
 */
export async function transfer(
  actor: Actor,
  { workspaceId }: Membership,
  { userId }: Transfer,
  now: Date = Clock.now(),
): Promise<View> {
  if (userId === actor.userId)
    throw new Fault("conflict", "already_owner", "The workspace is yours already.");
  return transaction(async (tx) => {
    const before = await tx
      .updateTable("memberships")
      .set({ role: "admin" })
      .where("workspace_id", "=", workspaceId)
      .where("user_id", "=", actor.userId)
      .where("role", "=", "owner")
      .returning("user_id")
      .executeTakeFirst();
    if (!before) throw new Fault("forbidden", "insufficient_role", "This needs the role owner.");
    const after = await tx
      .updateTable("memberships")
      .set({ role: "owner" })
      .where("workspace_id", "=", workspaceId)
      .where("user_id", "=", userId)
      .where("status", "=", "active")
      .returning("user_id")
      .executeTakeFirst();
    if (!after) throw new Fault("missing", "member_not_found", "There is no such member here.");
    const workspace = await tx
      .selectFrom("workspaces")
      .select(["id", "name", "plan", "base_currency as baseCurrency"])
      .where("id", "=", workspaceId)
      .executeTakeFirstOrThrow();
    await Event.record(
      tx,
      actor,
      {
        action: "workspace.transferred",
        target: { type: "workspace", id: workspaceId, name: workspace.name },
        workspaceId,
        changes: { owner: { before: actor.userId, after: userId } },
      },
      now,
    );
    return { ...workspace, plan: workspace.plan as View["plan"], role: "admin" as const };
  });
}

/** What somebody has in a workspace besides the membership: a running timer, places in its teams, and tokens for it. */
export async function forget(tx: Tx, actor: Actor, workspaceId: string, now: Date): Promise<void> {
  const { userId } = actor;
  await Timer.stopForDeparture(tx, actor, workspaceId, now);
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

function person(tx: Tx, userId: string): Promise<{ name: string }> {
  return tx.selectFrom("users").select("name").where("id", "=", userId).executeTakeFirstOrThrow();
}
