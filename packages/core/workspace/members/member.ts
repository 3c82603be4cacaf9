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

/** Beyond this many the list is paged, whether asked for or not: a Lambda answer holds 6 MB. */
export const unpagedMembers = 5000;

export const statuses = ["active", "suspended"] as const;

/** A person as their team sees them. `role` and `status` are theirs in the whole workspace, `title` is from their profile. */
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

/** The members of a team by name, all of them in one statement, or a page. Pictures are signed after the list is built. */
export async function list(
  membership: TeamMembership,
  page: Page | undefined,
): Promise<{ data: View[]; meta: PageMeta }> {
  const { rows, total } = await fetchMembers(membership, page);
  const whole = { page: 1, perPage: Math.min(Math.max(total, 1), unpagedMembers) };
  return { data: views(rows), meta: pageMeta(page ?? whole, total) };
}

/** Everybody of the workspace by name, in whichever team or in none; `joinedAt` is when they joined it. */
export async function everybody({ workspaceId }: Membership): Promise<View[]> {
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
    .limit(unpagedMembers)
    .execute();
  return views(rows);
}

/** Let somebody of the workspace into the team. In it already: nothing changes. Throws 404 `member_not_found`. */
export async function add(
  actor: Actor,
  membership: TeamMembership,
  { userId }: Add,
  now: Date = Clock.now(),
): Promise<void> {
  await transaction(async (tx) => {
    const person = await findMember(tx, membership, userId);
    const added = await tx
      .insertInto("team_members")
      .values({ team_id: membership.teamId, user_id: userId, joined_at: now })
      .onConflict((conflict) => conflict.columns(["team_id", "user_id"]).doNothing())
      .returning("user_id")
      .executeTakeFirst();
    if (added) await record(tx, actor, membership, "team.member_added", person, now);
  });
}

/**
 * Change a member's role or status in the workspace. Nobody gives or takes a role as high as their own or higher, except
 * the owner; the owner's own role changes only by handing the workspace over. Throws 403 `insufficient_role`, 404
 * `member_not_found`, 409 `owner_is_fixed`.
 */
export async function update(
  actor: Actor,
  membership: TeamMembership,
  userId: string,
  input: Update,
  now: Date = Clock.now(),
): Promise<View> {
  await transaction(async (tx) => {
    const person = await findMember(tx, membership, userId, true);
    if (person.role === "owner")
      throw new Fault(
        "conflict",
        "owner_is_fixed",
        "The owner’s role and status change only by handing the workspace over.",
      );
    if (input.role === "owner")
      throw new Fault("conflict", "owner_is_fixed", "A workspace has one owner: hand it over instead.");
    const touched = [person.role, ...(input.role ? [input.role] : [])];
    if (membership.role !== "owner" && touched.some((role) => reaches(role, membership.role)))
      throw new Fault("forbidden", "insufficient_role", "Only somebody with a higher role may do this.");
    const before = { role: person.role, status: person.status };
    const after = { role: input.role ?? before.role, status: input.status ?? before.status };
    if (after.role === before.role && after.status === before.status) return;
    await tx
      .updateTable("memberships")
      .set(after)
      .where("workspace_id", "=", membership.workspaceId)
      .where("user_id", "=", userId)
      .execute();
    await record(tx, actor, membership, "member.updated", person, now, {
      role: { before: before.role, after: after.role },
      status: { before: before.status, after: after.status },
    });
  });
  return get(membership, userId);
}

/** Take somebody out of the team: a manager anybody, a member themselves. Throws 403 and 404 `member_not_found`. */
export async function remove(
  actor: Actor,
  membership: TeamMembership,
  userId: string,
  now: Date = Clock.now(),
): Promise<void> {
  if (userId !== actor.userId && !reaches(membership.role, "manager"))
    throw new Fault("forbidden", "insufficient_role", "Only a manager may take somebody else out of a team.");
  await transaction(async (tx) => {
    const person = await findMember(tx, membership, userId, true);
    await tx
      .deleteFrom("team_members")
      .where("team_id", "=", membership.teamId)
      .where("user_id", "=", userId)
      .execute();
    await record(tx, actor, membership, "team.member_removed", person, now);
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

type Row = Awaited<ReturnType<ReturnType<typeof selection>["execute"]>>[number];

async function fetchMembers(
  membership: TeamMembership,
  page: Page | undefined,
): Promise<{ rows: Row[]; total: number }> {
  const rows = await selection(membership)
    .orderBy(({ fn }) => fn("lower", ["users.name"]))
    .orderBy("users.id")
    .limit(page?.perPage ?? unpagedMembers)
    .offset(page ? (page.page - 1) * page.perPage : 0)
    .execute();
  if (rows[0]) return { rows, total: Number(rows[0].total) };
  if (!page || page.page === 1) return { rows, total: 0 };
  const first = await selection(membership).limit(1).executeTakeFirst();
  return { rows, total: Number(first?.total ?? 0) };
}

/** One member. Throws 404 `member_not_found`. */
export async function get(membership: TeamMembership, userId: string): Promise<View> {
  const rows = await selection(membership).where("users.id", "=", userId).execute();
  const [found] = views(rows);
  if (!found) throw missing();
  return found;
}

function views(rows: readonly Omit<Row, "total">[]): View[] {
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

type Person = { userId: string; name: string; role: Role; status: string };

/** Somebody of the membership's workspace; with `inTeam`, of its team. */
async function findMember(
  tx: Tx,
  membership: TeamMembership,
  userId: string,
  inTeam = false,
): Promise<Person> {
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
  const person = await query.executeTakeFirst();
  if (!person) throw missing();
  return person as Person;
}

function missing(): Fault {
  return new Fault("missing", "member_not_found", "There is no such member here.");
}

async function record(
  tx: Tx,
  actor: Actor,
  { workspaceId }: TeamMembership,
  action: Event.InternalAction,
  { userId, name }: Person,
  at: Date,
  changes?: Event.Recorded["changes"],
): Promise<void> {
  const target = { type: "user", id: userId, name } as const;
  await Event.record(tx, actor, { action, target, workspaceId, ...(changes && { changes }) }, at);
}
