import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import type { Tx } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import * as Timer from "../tracking/time-entries/timer.ts";
import type { Membership } from "../workspace/authorization.ts";
import * as Member from "../workspace/members/member.ts";
import * as TeamMember from "../workspace/members/team-member.ts";
import type { TeamMembership } from "../workspace/teams/team.ts";

/**
 * Changes a member's role or status in the workspace. Suspending ends the access to this workspace at the next request, and
 * stops the member's running timer, because no one else could stop it. Throws what `Member.findManageable` and `Member.change`
 * throw.
 */
export async function updateMember(
  actor: Actor,
  membership: Membership,
  userId: string,
  input: Member.Update,
  now: Date = Clock.now(),
): Promise<Member.View> {
  await transaction(async (tx) => {
    const member = await Member.findManageable(tx, actor, membership, userId);
    await change(tx, actor, membership, member, input, now);
  });
  return Member.get(membership, userId);
}

/** Does the same for a member of the team. Throws `missing` `member_not_found`, and what `Member.change` throws. */
export async function updateTeamMember(
  actor: Actor,
  membership: TeamMembership,
  userId: string,
  input: Member.Update,
  now: Date = Clock.now(),
): Promise<Member.View> {
  await transaction(async (tx) => {
    const member = await TeamMember.find(tx, membership, userId);
    await change(tx, actor, membership, member, input, now);
  });
  return TeamMember.get(membership, userId);
}

async function change(
  tx: Tx,
  actor: Actor,
  membership: Membership,
  member: Member.Member,
  input: Member.Update,
  now: Date,
): Promise<void> {
  await Member.change(tx, actor, membership, member, input, now);
  const { workspaceId } = membership;
  if (input.status === "suspended")
    await Timer.stopForDeparture(tx, actor, { workspaceId, userId: member.userId }, now);
}
