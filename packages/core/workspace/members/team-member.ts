import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { Id } from "../../base/id.ts";
import type { Page } from "../../base/page.ts";
import * as Event from "../../event/event.ts";
import { db, type Reader, type Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { reaches } from "../authorization.ts";
import type { TeamMembership } from "../teams/team.ts";
import * as Member from "./member.ts";

export const Add = z.object({ userId: Id });
export type Add = z.infer<typeof Add>;

/** Lists the members of a team by name, as one page or, up to `Member.maxUnpaged`, all. */
export function list(membership: TeamMembership, page: Page | undefined): Promise<Member.List> {
  return Member.listOf(page, ({ limit, offset }) =>
    selection(db(), membership)
      .orderBy(({ fn }) => fn("lower", ["users.name"]))
      .orderBy("users.id")
      .limit(limit)
      .offset(offset)
      .execute(),
  );
}

/** Returns one member of the team. Throws `missing` `member_not_found`. */
export async function get(membership: TeamMembership, userId: string): Promise<Member.View> {
  const rows = await selection(db(), membership).where("users.id", "=", userId).execute();
  const [member] = Member.views(rows);
  if (!member) throw Member.missing();
  return member;
}

/** Adds a member of the workspace to the team. Idempotent. Throws `missing` `member_not_found`. */
export async function add(
  actor: Actor,
  membership: TeamMembership,
  { userId }: Add,
  now: Date = Clock.now(),
): Promise<void> {
  const team = { team: membership.teamId };
  await transaction(async (tx) => {
    const member = await Member.find(tx, membership, userId);
    const added = await tx
      .insertInto("team_members")
      .values({ team_id: membership.teamId, user_id: userId, joined_at: now })
      .onConflict((conflict) => conflict.columns(["team_id", "user_id"]).doNothing())
      .returning("user_id")
      .executeTakeFirst();
    if (added)
      await Member.record(tx, actor, membership, "team.member_added", member, now, Event.changes({}, team));
  });
}

/**
 * Removes a member from the team. Anyone may remove themselves; managers may remove others whose role is not higher than
 * theirs. Throws `forbidden` `insufficient_role` and `missing` `member_not_found`.
 */
export async function remove(
  actor: Actor,
  membership: TeamMembership,
  userId: string,
  now: Date = Clock.now(),
): Promise<void> {
  const isSelf = userId === actor.userId;
  if (!isSelf && !reaches(membership.role, "manager"))
    throw new Fault("forbidden", "insufficient_role", "Only a manager can remove other members from a team.");
  const team = { team: membership.teamId };
  await transaction(async (tx) => {
    const member = await find(tx, membership, userId);
    if (!isSelf && !reaches(membership.role, member.role))
      throw new Fault(
        "forbidden",
        "insufficient_role",
        "You cannot remove members with a role higher than yours from a team.",
      );
    await tx
      .deleteFrom("team_members")
      .where("team_id", "=", membership.teamId)
      .where("user_id", "=", userId)
      .execute();
    await Member.record(tx, actor, membership, "team.member_removed", member, now, Event.changes(team));
  });
}

function selection(reader: Reader, membership: TeamMembership) {
  return Member.selection(reader, membership)
    .innerJoin("team_members", (join) =>
      join.onRef("team_members.user_id", "=", "users.id").on("team_members.team_id", "=", membership.teamId),
    )
    .select("team_members.joined_at as joinedAt")
    .select(({ fn }) => fn.countAll<bigint>().over().as("total"));
}

/** Finds a member of the team. Throws `missing` `member_not_found`. */
export async function find(tx: Tx, membership: TeamMembership, userId: string): Promise<Member.Member> {
  const member = await selection(tx, membership).where("users.id", "=", userId).executeTakeFirst();
  if (!member) throw Member.missing();
  return member as unknown as Member.Member;
}
