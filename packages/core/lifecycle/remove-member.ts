import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { db } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { log } from "../platform/log/log.ts";
import * as Email from "../platform/mail/email.ts";
import * as Mail from "../platform/mail/mail.ts";
import type { Membership } from "../workspace/authorization.ts";
import * as Member from "../workspace/members/member.ts";
import { removeMemberData } from "./leave-workspace.ts";

/**
 * Removes a member from the workspace and its teams, and notifies them by email. Their access ends at the next request. Their
 * time entries stay, their running timer is stopped, and their account and other workspaces are not affected. Throws what
 * `Member.findManageable` throws.
 */
export async function removeMember(
  actor: Actor,
  membership: Membership,
  userId: string,
  now: Date = Clock.now(),
): Promise<void> {
  const { workspaceId } = membership;
  const removed = await transaction(async (tx) => {
    const member = await Member.findManageable(tx, actor, membership, userId);
    await tx
      .deleteFrom("memberships")
      .where("workspace_id", "=", workspaceId)
      .where("user_id", "=", userId)
      .execute();
    await removeMemberData(tx, actor, { workspaceId, userId }, now);
    const changes = { role: { before: member.role, after: null } };
    await Member.record(tx, actor, membership, "member.removed", member, now, changes);
    return member;
  });
  await notify(actor, workspaceId, removed);
}

/** Emails the removed member. A failure is logged and not thrown, because the member has been removed. */
async function notify(
  { userId, requestId }: Actor,
  workspaceId: string,
  member: Member.Member,
): Promise<void> {
  try {
    const { remover, workspace } = await db()
      .selectFrom("workspaces")
      .select("workspaces.name as workspace")
      .select(({ selectFrom }) =>
        selectFrom("users").select("users.name").where("users.id", "=", userId).as("remover"),
      )
      .where("workspaces.id", "=", workspaceId)
      .executeTakeFirstOrThrow();
    await Mail.send(removalEmail(member, workspace, remover ?? "An admin"));
  } catch (error) {
    log.warn("notice of a removal not sent", { requestId, error: error as Error });
  }
}

function removalEmail({ email, name }: Member.Member, workspace: string, remover: string): Mail.Email {
  return Email.compose({
    to: email,
    subject: "You were removed from a workspace",
    paragraphs: [
      `Hello ${name},`,
      `${remover} removed you from the workspace ${workspace}. You no longer have access to it and its teams. Your running timer was stopped, and your API tokens and invitations for this workspace no longer work.`,
      "Your time entries stay in the workspace. Your account and your other workspaces are not affected.",
      "If you think this was a mistake, ask an admin of the workspace to invite you again.",
    ],
  });
}
