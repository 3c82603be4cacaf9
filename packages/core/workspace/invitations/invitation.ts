import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import * as EmailAddress from "../../base/email-address.ts";
import { Fault } from "../../base/fault.ts";
import { newId } from "../../base/id.ts";
import * as Event from "../../event/event.ts";
import * as Config from "../../platform/config/config.ts";
import { hashSecret, newSecret } from "../../platform/crypto/secret.ts";
import { db, type Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import * as Email from "../../platform/mail/email.ts";
import * as Mail from "../../platform/mail/mail.ts";
import { Role, reaches } from "../authorization.ts";
import type { TeamMembership } from "../teams/team.ts";

export const validDays = 7;

export const Invite = z.object({ email: EmailAddress.Email, role: z._default(Role, "member") });
export type Invite = z.infer<typeof Invite>;

export const Accept = z.object({ token: z.string().check(z.minLength(1), z.maxLength(100)) });
export type Accept = z.infer<typeof Accept>;

export const View = z.object({
  id: z.string(),
  teamId: z.string(),
  email: z.string(),
  role: Role,
  invitedBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type View = z.infer<typeof View>;

export const Accepted = z.object({ workspaceId: z.string(), teamId: z.string(), role: Role });
export type Accepted = z.infer<typeof Accepted>;

/**
 * Invites someone to the team by email. Inviting the same email again sends a new link and voids the old one. Throws
 * `forbidden` `insufficient_role` for a role that the caller may not grant, `conflict` `owner_is_fixed` or
 * `already_member`, and `upstream` `mail_unavailable`.
 */
export async function invite(
  actor: Actor,
  membership: TeamMembership,
  { email, role }: Invite,
  now: Date = Clock.now(),
): Promise<View> {
  if (role === "owner")
    throw new Fault(
      "conflict",
      "owner_is_fixed",
      "A workspace has exactly one owner. Transfer the workspace instead.",
    );
  if (membership.role !== "owner" && reaches(role, membership.role))
    throw new Fault("forbidden", "insufficient_role", "You can only grant roles lower than your own.");
  const token = newSecret();
  const { invitation, names } = await transaction(async (tx) => {
    await rejectTeamMember(tx, membership.teamId, email);
    const invitation = await store(tx, actor, membership, { email, role, token }, now);
    const target = { type: "invitation", id: invitation.id, name: email } as const;
    const { workspaceId } = membership;
    const changes = { role: { before: null, after: role } };
    await Event.record(tx, actor, { action: "member.invited", target, workspaceId, changes }, now);
    return { invitation, names: await namesForEmail(tx, actor, membership) };
  });
  await Mail.send(invitationEmail(email, token, names));
  return invitation;
}

/** Throws `conflict` `already_member` if the email belongs to a member of the team. */
async function rejectTeamMember(tx: Tx, teamId: string, email: string): Promise<void> {
  const member = await tx
    .selectFrom("team_members")
    .innerJoin("users", "users.id", "team_members.user_id")
    .select("users.id")
    .where("team_members.team_id", "=", teamId)
    .where("users.email_key", "=", EmailAddress.key(email))
    .executeTakeFirst();
  if (member) throw new Fault("conflict", "already_member", "This person is already a member of the team.");
}

async function store(
  tx: Tx,
  actor: Actor,
  { workspaceId, teamId }: TeamMembership,
  { email, role, token }: Invite & { token: string },
  now: Date,
): Promise<View> {
  const values = {
    token_hash: hashSecret(token),
    email,
    role,
    invited_by: actor.userId,
    created_at: now,
    expires_at: new Date(now.getTime() + validDays * 86_400_000),
  };
  const row = await tx
    .insertInto("invitations")
    .values({
      id: newId("inv", now),
      workspace_id: workspaceId,
      team_id: teamId,
      email_key: EmailAddress.key(email),
      ...values,
    })
    .onConflict((conflict) => conflict.columns(["team_id", "email_key"]).doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow();
  return view(row);
}

type Names = { inviter: string; workspace: string; team: string };

async function namesForEmail(
  tx: Tx,
  { userId }: Actor,
  { workspaceId, teamId }: TeamMembership,
): Promise<Names> {
  const { name, workspace, team } = await tx
    .selectFrom("users")
    .select("name")
    .select(({ selectFrom }) => [
      selectFrom("workspaces")
        .select("workspaces.name")
        .where("workspaces.id", "=", workspaceId)
        .as("workspace"),
      selectFrom("teams").select("teams.name").where("teams.id", "=", teamId).as("team"),
    ])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  return { inviter: name, workspace: workspace ?? "", team: team ?? "" };
}

/** Lists the team's pending invitations, newest first. Expired ones are not included. */
export async function list({ teamId }: TeamMembership, now: Date = Clock.now()): Promise<View[]> {
  const rows = await db()
    .selectFrom("invitations")
    .selectAll()
    .where("team_id", "=", teamId)
    .where("expires_at", ">", now)
    .orderBy("id", "desc")
    .execute();
  return rows.map(view);
}

/** Revokes an invitation, which voids its link. Throws `missing` `invitation_not_found`. */
export async function revoke(
  actor: Actor,
  { teamId, workspaceId }: TeamMembership,
  invitationId: string,
  now: Date = Clock.now(),
): Promise<void> {
  await transaction(async (tx) => {
    const removed = await tx
      .deleteFrom("invitations")
      .where("id", "=", invitationId)
      .where("team_id", "=", teamId)
      .returning("email")
      .executeTakeFirst();
    if (!removed) throw new Fault("missing", "invitation_not_found", "Invitation not found.");
    const target = { type: "invitation", id: invitationId, name: removed.email } as const;
    await Event.record(tx, actor, { action: "member.invitation_revoked", target, workspaceId }, now);
  });
}

/**
 * Accepts an invitation: the caller joins the team, and its workspace with the invited role. Someone who is already a member
 * of the workspace keeps their role. A link works once. Throws `expired` `link_expired`, and `forbidden`
 * `invitation_for_another` if the link was sent to an email other than the caller's.
 */
export async function accept(actor: Actor, { token }: Accept, now: Date = Clock.now()): Promise<Accepted> {
  return transaction(async (tx) => {
    const invitation = await consumeLink(tx, token, now);
    const { workspace_id: workspaceId, team_id: teamId } = invitation;
    const user = await requireRecipient(tx, actor, invitation.email_key);
    await tx
      .insertInto("memberships")
      .values({
        workspace_id: workspaceId,
        user_id: actor.userId,
        role: invitation.role,
        status: "active",
        joined_at: now,
      })
      .onConflict((conflict) => conflict.columns(["workspace_id", "user_id"]).doNothing())
      .execute();
    await tx
      .insertInto("team_members")
      .values({ team_id: teamId, user_id: actor.userId, joined_at: now })
      .onConflict((conflict) => conflict.columns(["team_id", "user_id"]).doNothing())
      .execute();
    const { role } = await tx
      .selectFrom("memberships")
      .select("role")
      .where("workspace_id", "=", workspaceId)
      .where("user_id", "=", actor.userId)
      .executeTakeFirstOrThrow();
    const target = { type: "user", id: actor.userId, name: user.name } as const;
    const changes = {
      role: { before: null, after: role },
      team: { before: null, after: teamId },
      invitation: { before: null, after: invitation.id },
    };
    await Event.record(tx, actor, { action: "member.joined", target, workspaceId, changes }, now);
    return { workspaceId, teamId, role: role as Role };
  });
}

/** Deletes a valid invitation and returns it. Throws `expired` `link_expired`. */
async function consumeLink(tx: Tx, token: string, now: Date) {
  const invitation = await tx
    .deleteFrom("invitations")
    .where("token_hash", "=", hashSecret(token))
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();
  const team =
    invitation &&
    (await tx
      .selectFrom("teams")
      .select("id")
      .where("id", "=", invitation.team_id)
      .where("workspace_id", "=", invitation.workspace_id)
      .executeTakeFirst());
  if (!invitation || !team)
    throw new Fault(
      "expired",
      "link_expired",
      "This invitation has expired, was revoked or was already used. Ask for a new one.",
    );
  return invitation;
}

/** Returns the caller if the invitation was sent to their email. Throws `forbidden` `invitation_for_another`. */
async function requireRecipient(tx: Tx, { userId }: Actor, emailKey: string): Promise<{ name: string }> {
  const user = await tx
    .selectFrom("users")
    .select(["name", "email_key"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  if (user.email_key !== emailKey)
    throw new Fault(
      "forbidden",
      "invitation_for_another",
      "This invitation was sent to another email. Sign in with the account of that email.",
    );
  return user;
}

/** Deletes expired invitations. Returns the number of deleted rows. */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const deleted = await db().deleteFrom("invitations").where("expires_at", "<", now).executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

type InvitationRow = {
  id: string;
  team_id: string;
  email: string;
  role: string;
  invited_by: string;
  created_at: Date;
  expires_at: Date;
};

function view(row: InvitationRow): View {
  return {
    id: row.id,
    teamId: row.team_id,
    email: row.email,
    role: row.role as Role,
    invitedBy: row.invited_by,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  };
}

function invitationEmail(to: string, token: string, { inviter, workspace, team }: Names): Mail.Email {
  return Email.compose({
    to,
    subject: `${inviter} invited you to ${workspace}`,
    paragraphs: [
      `${inviter} invited you to join the team ${team} in the workspace ${workspace}.`,
      `Use the link within ${validDays} days. Sign in or create an account with this email to accept. If you don't know ${inviter}, you can ignore this email.`,
    ],
    link: { label: "Accept invitation", url: `${Config.appUrl()}/accept-invitation#token=${token}` },
  });
}
