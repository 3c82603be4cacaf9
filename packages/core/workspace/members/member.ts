import * as z from "zod/mini";
import * as Avatar from "../../avatar/resolve.ts";
import type { Actor } from "../../base/actor.ts";
import { Fault } from "../../base/fault.ts";
import { Id } from "../../base/id.ts";
import { Instant } from "../../base/instant.ts";
import { maxPerPage, type Page, type PageMeta, pageMeta } from "../../base/page.ts";
import * as Event from "../../event/event.ts";
import { db, type Reader, type Tx } from "../../platform/db/engine.ts";
import { type Membership, Role, rolesBelow } from "../authorization.ts";
import * as Invitation from "../invitations/invitation.ts";

/**
 * Largest list without pagination. A Lambda response is limited to 6 MB, and a member with two signed URLs and long names takes
 * 1.4 kB.
 */
export const maxUnpaged = 4000;

export const statuses = ["active", "suspended"] as const;

/**
 * A member of a workspace or of one of its teams, which they joined at `joinedAt`. `role` and `status` apply to the whole
 * workspace; `title` is from the user's profile.
 */
export const View = z.object({
  userId: Id,
  name: z.string(),
  email: z.string(),
  role: Role,
  title: z.string(),
  status: z.enum(statuses),
  ...Avatar.fields,
  joinedAt: Instant,
  lastActiveAt: z.nullable(Instant),
});
export type View = z.infer<typeof View>;

export const Update = z.partial(z.object({ role: Role, status: z.enum(statuses) }));
export type Update = z.infer<typeof Update>;

export type List = { data: View[]; meta: PageMeta };

/** Lists the members of the workspace by name, as one page or, up to `maxUnpaged`, all. */
export function list(membership: Membership, page: Page | undefined): Promise<List> {
  return listOf(page, ({ limit, offset }) =>
    selection(db(), membership)
      .select("memberships.joined_at as joinedAt")
      .select(({ fn }) => fn.countAll<bigint>().over().as("total"))
      .orderBy(({ fn }) => fn("lower", ["users.name"]))
      .orderBy("users.id")
      .limit(limit)
      .offset(offset)
      .execute(),
  );
}

/** A row of `selection` in a list with `total` rows. */
type ListRow = MemberRow & { joinedAt: Date; total: bigint };

/**
 * Lists members as one page or, without one, all. A list of more than `maxUnpaged` is not returned at once: the response is the
 * first of the largest pages, and its `meta` says how many follow. `fetch` loads a range of the rows.
 */
export async function listOf(
  page: Page | undefined,
  fetch: (range: { limit: number; offset: number }) => Promise<ListRow[]>,
): Promise<List> {
  const { page: number, perPage } = page ?? { page: 1, perPage: maxUnpaged };
  const rows = await fetch({ limit: perPage, offset: (number - 1) * perPage });
  const [counted] = rows.length > 0 || number === 1 ? rows : await fetch({ limit: 1, offset: 0 });
  const total = Number(counted?.total ?? 0);
  const shown = page ?? { page: 1, perPage: total > maxUnpaged ? maxPerPage : Math.max(total, 1) };
  return { data: views(rows.slice(0, shown.perPage)), meta: pageMeta(shown, total) };
}

/** Returns one member of the workspace. Throws `missing` `member_not_found`. */
export async function get(membership: Membership, userId: string): Promise<View> {
  const [view] = views(
    await selection(db(), membership)
      .select("memberships.joined_at as joinedAt")
      .where("users.id", "=", userId)
      .execute(),
  );
  if (!view) throw missing();
  return view;
}

/**
 * Finds a member whom the caller may change and remove. Throws `conflict` `use_leave` for the caller, `missing`
 * `member_not_found`, `conflict` `sole_owner` for the owner, and `forbidden` `insufficient_role` for a role that is not below
 * the caller's.
 */
export async function findManageable(
  tx: Tx,
  actor: Actor,
  membership: Membership,
  userId: string,
): Promise<Member> {
  if (userId === actor.userId)
    throw new Fault(
      "conflict",
      "use_leave",
      "You cannot remove yourself or change your own role and status. Leave the workspace instead.",
    );
  const member = await find(tx, membership, userId);
  if (member.role === "owner")
    throw new Fault(
      "conflict",
      "sole_owner",
      "The owner cannot be changed or removed. The owner can transfer the workspace to another member.",
    );
  requireRoleBelow(membership, member.role);
  return member;
}

/**
 * Changes the role or status of a member that the caller has found, inside their transaction. Callers can only change members
 * with a role lower than their own, and only grant such roles. The invitations that the member may no longer send or accept
 * are withdrawn. Throws `conflict` `owner_is_fixed` and `forbidden` `insufficient_role`.
 */
export async function change(
  tx: Tx,
  actor: Actor,
  membership: Membership,
  member: Member,
  input: Update,
  now: Date,
): Promise<void> {
  requireMayChange(membership, member, input);
  const { workspaceId } = membership;
  const { userId } = member;
  const before = { role: member.role, status: member.status };
  const after = { role: input.role ?? before.role, status: input.status ?? before.status };
  if (after.role === before.role && after.status === before.status) return;
  await tx
    .updateTable("memberships")
    .set(after)
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .execute();
  if (after.status === "suspended") await Invitation.withdrawAll(tx, workspaceId, userId);
  else await Invitation.withdrawUngrantable(tx, workspaceId, userId, after.role);
  await record(tx, actor, membership, "member.updated", member, now, {
    role: { before: before.role, after: after.role },
    status: { before: before.status, after: after.status },
  });
}

function requireMayChange(membership: Membership, member: Member, { role }: Update): void {
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
  for (const affected of [member.role, ...(role ? [role] : [])]) requireRoleBelow(membership, affected);
}

function requireRoleBelow(membership: Membership, role: Role): void {
  if (!rolesBelow(membership.role).includes(role))
    throw new Fault(
      "forbidden",
      "insufficient_role",
      "You can only change or remove members with a role lower than yours, and only grant roles lower than yours.",
    );
}

/** A member as far as changing, removing and recording them needs. */
export type Member = { userId: string; name: string; email: string; role: Role; status: View["status"] };

/** Finds a member of the workspace. Throws `missing` `member_not_found`. */
export async function find(tx: Tx, membership: Membership, userId: string): Promise<Member> {
  const member = await selection(tx, membership).where("users.id", "=", userId).executeTakeFirst();
  if (!member) throw missing();
  return member as Member;
}

/** Selects the members of a workspace with the columns of `View`, except `joinedAt`. */
export function selection(reader: Reader, { workspaceId }: Membership) {
  return reader
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select([
      "users.id as userId",
      "users.name",
      "users.email",
      "memberships.role",
      "users.title",
      "memberships.status",
      ...Avatar.columns,
      "users.last_active_at as lastActiveAt",
    ])
    .where("memberships.workspace_id", "=", workspaceId);
}

type MemberRow = Awaited<ReturnType<ReturnType<typeof selection>["execute"]>>[number];

/** Formats the rows of `selection`. Avatar URLs are signed in one batch. */
export function views(rows: readonly (MemberRow & { joinedAt: Date })[]): View[] {
  const avatars = Avatar.resolveAll(rows);
  return rows.map((row, at) => ({
    userId: row.userId,
    name: row.name,
    email: row.email,
    title: row.title,
    role: row.role as Role,
    status: row.status as View["status"],
    ...(avatars[at] ?? Avatar.none),
    joinedAt: row.joinedAt.toISOString(),
    lastActiveAt: row.lastActiveAt?.toISOString() ?? null,
  }));
}

export function missing(): Fault {
  return new Fault("missing", "member_not_found", "Member not found.");
}

/** Records an event about a member in the audit log of the workspace. */
export async function record(
  tx: Tx,
  actor: Actor,
  { workspaceId }: Membership,
  action: Event.InternalAction,
  { userId, name }: Member,
  at: Date,
  changes?: Event.Recorded["changes"],
): Promise<void> {
  const target = { type: "user", id: userId, name } as const;
  await Event.record(tx, actor, { action, target, workspaceId, ...(changes && { changes }) }, at);
}
