import * as z from "zod/mini";
import { resolveAll } from "../../avatar/resolve.ts";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { idPattern } from "../../base/id.ts";
import { type Page, type PageMeta, pageMeta } from "../../base/page.ts";
import * as Event from "../../event/event.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { type Membership, Role, reaches } from "../authorization.ts";
import type { TeamMembership } from "../teams/team.ts";

/** Largest list without pagination. A Lambda response is limited to 6 MB. */
export const maxUnpaged = 5000;

export const statuses = ["active", "suspended"] as const;

/** A member of a team. `role` and `status` apply to the whole workspace; `title` is from the user's profile. */
export const View = z.object({
  userId: z.string(),
  name: z.string(),
  email: z.string(),
  role: Role,
  title: z.string(),
  status: z.enum(statuses),
  avatar: z.string(),
  joinedAt: z.iso.datetime(),
  lastActiveAt: z.nullable(z.iso.datetime()),
});
export type View = z.infer<typeof View>;

export const Add = z.object({ userId: z.string().check(z.regex(idPattern)) });
export type Add = z.infer<typeof Add>;

export const Update = z.partial(z.object({ role: Role, status: z.enum(statuses) }));
export type Update = z.infer<typeof Update>;

/** Lists the members of a team by name, as one page or all up to `maxUnpaged`. Avatar URLs are signed in one batch. */
export async function list(
  membership: TeamMembership,
  page: Page | undefined,
): Promise<{ data: View[]; meta: PageMeta }> {
  const { rows, total } = await fetchMembers(membership, page);
  const whole = { page: 1, perPage: Math.min(Math.max(total, 1), maxUnpaged) };
  return { data: views(rows), meta: pageMeta(page ?? whole, total) };
}

/** Lists all members of the workspace by name, up to `maxUnpaged`. `joinedAt` is when they joined the workspace. */
export async function listWorkspace({ workspaceId }: Membership): Promise<View[]> {
  const rows = await db()
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select([
      "users.id as userId",
      "users.name",
      "users.email",
      "memberships.role",
      "users.title",
      "memberships.status",
      "users.avatar",
      "memberships.joined_at as joinedAt",
      "users.last_active_at as lastActiveAt",
    ])
    .where("memberships.workspace_id", "=", workspaceId)
    .orderBy(({ fn }) => fn("lower", ["users.name"]))
    .orderBy("users.id")
    .limit(maxUnpaged)
    .execute();
  return views(rows);
}

/** Adds a member of the workspace to the team. Idempotent. Throws `missing` `member_not_found`. */
export async function add(
  actor: Actor,
  membership: TeamMembership,
  { userId }: Add,
  now: Date = Clock.now(),
): Promise<void> {
  await transaction(async (tx) => {
    const member = await findMember(tx, membership, userId);
    const added = await tx
      .insertInto("team_members")
      .values({ team_id: membership.teamId, user_id: userId, joined_at: now })
      .onConflict((conflict) => conflict.columns(["team_id", "user_id"]).doNothing())
      .returning("user_id")
      .executeTakeFirst();
    if (added) await record(tx, actor, membership, "team.member_added", member, now);
  });
}

/**
 * Changes a member's role or status in the workspace. Callers other than the owner can only change members with a role
 * lower than their own, and only grant such roles. The owner changes only by transferring the workspace. Throws `forbidden`
 * `insufficient_role`, `missing` `member_not_found`, and `conflict` `owner_is_fixed`.
 */
export async function update(
  actor: Actor,
  membership: TeamMembership,
  userId: string,
  input: Update,
  now: Date = Clock.now(),
): Promise<View> {
  await transaction(async (tx) => {
    const member = await findMember(tx, membership, userId, true);
    requireMayChange(membership, member, input);
    const before = { role: member.role, status: member.status };
    const after = { role: input.role ?? before.role, status: input.status ?? before.status };
    if (after.role === before.role && after.status === before.status) return;
    await tx
      .updateTable("memberships")
      .set(after)
      .where("workspace_id", "=", membership.workspaceId)
      .where("user_id", "=", userId)
      .execute();
    await record(tx, actor, membership, "member.updated", member, now, {
      role: { before: before.role, after: after.role },
      status: { before: before.status, after: after.status },
    });
  });
  return get(membership, userId);
}

function requireMayChange(membership: TeamMembership, member: Member, { role }: Update): void {
  if (member.role === "owner")
    throw new Fault(
      "conflict",
      "owner_is_fixed",
      "The owner’s role and status cannot be changed. Transfer the workspace instead.",
    );
  if (role === "owner")
    throw new Fault(
      "conflict",
      "owner_is_fixed",
      "A workspace has exactly one owner. Transfer the workspace instead.",
    );
  const affected = [member.role, ...(role ? [role] : [])];
  if (membership.role !== "owner" && affected.some((held) => reaches(held, membership.role)))
    throw new Fault(
      "forbidden",
      "insufficient_role",
      "You can only change members with a role lower than yours, and only grant roles lower than yours.",
    );
}

/**
 * Removes a member from the team. Anyone may remove themselves; removing others requires a manager. Throws `forbidden`
 * `insufficient_role` and `missing` `member_not_found`.
 */
export async function remove(
  actor: Actor,
  membership: TeamMembership,
  userId: string,
  now: Date = Clock.now(),
): Promise<void> {
  if (userId !== actor.userId && !reaches(membership.role, "manager"))
    throw new Fault("forbidden", "insufficient_role", "Only a manager can remove other members from a team.");
  await transaction(async (tx) => {
    const member = await findMember(tx, membership, userId, true);
    await tx
      .deleteFrom("team_members")
      .where("team_id", "=", membership.teamId)
      .where("user_id", "=", userId)
      .execute();
    await record(tx, actor, membership, "team.member_removed", member, now);
  });
}

function selection(membership: TeamMembership) {
  return db()
    .selectFrom("team_members")
    .innerJoin("users", "users.id", "team_members.user_id")
    .innerJoin("memberships", (join) =>
      join
        .onRef("memberships.user_id", "=", "users.id")
        .on("memberships.workspace_id", "=", membership.workspaceId),
    )
    .select([
      "users.id as userId",
      "users.name",
      "users.email",
      "memberships.role",
      "users.title",
      "memberships.status",
      "users.avatar",
      "team_members.joined_at as joinedAt",
      "users.last_active_at as lastActiveAt",
    ])
    .select(({ fn }) => fn.countAll<bigint>().over().as("total"))
    .where("team_members.team_id", "=", membership.teamId);
}

type MemberRow = Awaited<ReturnType<ReturnType<typeof selection>["execute"]>>[number];

async function fetchMembers(
  membership: TeamMembership,
  page: Page | undefined,
): Promise<{ rows: MemberRow[]; total: number }> {
  const rows = await selection(membership)
    .orderBy(({ fn }) => fn("lower", ["users.name"]))
    .orderBy("users.id")
    .limit(page?.perPage ?? maxUnpaged)
    .offset(page ? (page.page - 1) * page.perPage : 0)
    .execute();
  if (rows[0]) return { rows, total: Number(rows[0].total) };
  if (!page || page.page === 1) return { rows, total: 0 };
  const first = await selection(membership).limit(1).executeTakeFirst();
  return { rows, total: Number(first?.total ?? 0) };
}

/** Returns one member of the team. Throws `missing` `member_not_found`. */
export async function get(membership: TeamMembership, userId: string): Promise<View> {
  const rows = await selection(membership).where("users.id", "=", userId).execute();
  const [member] = views(rows);
  if (!member) throw missing();
  return member;
}

function views(rows: readonly Omit<MemberRow, "total">[]): View[] {
  const avatars = resolveAll(rows.map((row) => row.avatar));
  return rows.map((row, at) => ({
    userId: row.userId,
    name: row.name,
    email: row.email,
    title: row.title,
    role: row.role as Role,
    status: row.status as View["status"],
    avatar: avatars[at] ?? "",
    joinedAt: row.joinedAt.toISOString(),
    lastActiveAt: row.lastActiveAt?.toISOString() ?? null,
  }));
}

type Member = { userId: string; name: string; role: Role; status: string };

/** Finds a member of the workspace or, with `inTeam`, of the team. Throws `missing` `member_not_found`. */
async function findMember(
  tx: Tx,
  membership: TeamMembership,
  userId: string,
  inTeam = false,
): Promise<Member> {
  let query = tx
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["users.id as userId", "users.name", "memberships.role", "memberships.status"])
    .where("memberships.workspace_id", "=", membership.workspaceId)
    .where("memberships.user_id", "=", userId);
  if (inTeam)
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom("team_members")
          .select("team_members.user_id")
          .where("team_members.team_id", "=", membership.teamId)
          .where("team_members.user_id", "=", userId),
      ),
    );
  const member = await query.executeTakeFirst();
  if (!member) throw missing();
  return member as Member;
}

function missing(): Fault {
  return new Fault("missing", "member_not_found", "Member not found.");
}

async function record(
  tx: Tx,
  actor: Actor,
  { workspaceId }: TeamMembership,
  action: Event.InternalAction,
  { userId, name }: Member,
  at: Date,
  changes?: Event.Recorded["changes"],
): Promise<void> {
  const target = { type: "user", id: userId, name } as const;
  await Event.record(tx, actor, { action, target, workspaceId, ...(changes && { changes }) }, at);
}
