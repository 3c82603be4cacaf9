import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import * as EmailAddress from "../../base/email-address.ts";
import { Fault } from "../../base/fault.ts";
import { newId } from "../../base/id.ts";
import * as Event from "../../event/event.ts";
import * as Config from "../../platform/config/config.ts";
import { hashSecret, newSecret } from "../../platform/crypto/secret.ts";
import { db } from "../../platform/db/engine.ts";
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
 * Ask somebody by mail to join the team. Asked again, they get a new link and the old one is void. Throws 403
 * `insufficient_role` for a role that the caller may not give, 409 `owner_is_fixed`, 409 `already_member`, and 502
 * `mail_unavailable`.
 */
export async function invite(
  actor: Actor,
  membership: TeamMembership,
  { email, role }: Invite,
  now: Date = Clock.now(),
): Promise<View> {
  if (role === "owner")
    throw new Fault("conflict", "owner_is_fixed", "A workspace has one owner: hand it over instead.");
  if (membership.role !== "owner" && reaches(role, membership.role))
    throw new Fault("forbidden", "insufficient_role", "Only somebody with a higher role may give this one.");
  const token = newSecret();
  const emailKey = EmailAddress.key(email);
  const { invitation, from } = await transaction(async (tx) => {
    const member = await tx
      .selectFrom("team_members")
      .innerJoin("users", "users.id", "team_members.user_id")
      .select("users.id")
      .where("team_members.team_id", "=", membership.teamId)
      .where("users.email_key", "=", emailKey)
      .executeTakeFirst();
    if (member) throw new Fault("conflict", "already_member", "This person is in the team already.");
    const fresh = {
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
        workspace_id: membership.workspaceId,
        team_id: membership.teamId,
        email_key: emailKey,
        ...fresh,
      })
      .onConflict((conflict) => conflict.columns(["team_id", "email_key"]).doUpdateSet(fresh))
      .returningAll()
      .executeTakeFirstOrThrow();
    const target = { type: "invitation", id: row.id, name: email } as const;
    const { workspaceId } = membership;
    const changes = { role: { before: null, after: role } };
    await Event.record(tx, actor, { action: "member.invited", target, workspaceId, changes }, now);
    const from = await tx
      .selectFrom("users")
      .select("name")
      .select(({ selectFrom }) => [
        selectFrom("workspaces")
          .select("workspaces.name")
          .where("workspaces.id", "=", workspaceId)
          .as("workspace"),
        selectFrom("teams").select("teams.name").where("teams.id", "=", membership.teamId).as("team"),
      ])
      .where("id", "=", actor.userId)
      .executeTakeFirstOrThrow();
    return { invitation: view(row), from };
  });
  await Mail.send(letter(email, token, from.name, from.workspace ?? "", from.team ?? ""));
  return invitation;
}

/** Who was asked and has not come yet, the latest first. Links that are too old are not among them. */
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

/** Take an invitation back: its link is void. Throws 404 `invitation_not_found`. */
export async function revoke(
  actor: Actor,
  { teamId, workspaceId }: TeamMembership,
  invitationId: string,
  now: Date = Clock.now(),
): Promise<void> {
  await transaction(async (tx) => {
    const gone = await tx
      .deleteFrom("invitations")
      .where("id", "=", invitationId)
      .where("team_id", "=", teamId)
      .returning("email")
      .executeTakeFirst();
    if (!gone) throw new Fault("missing", "invitation_not_found", "There is no such invitation.");
    const target = { type: "invitation", id: invitationId, name: gone.email } as const;
    await Event.record(tx, actor, { action: "member.invitation_revoked", target, workspaceId }, now);
  });
}

/**
 * Join with the link from the mail; a link works once. Who is in the workspace already keeps the role they have there.
 * Throws 410 `link_expired`, and 403 `invitation_for_another` when the link was mailed to another address than the
 * caller's: a link that was passed on must not let anybody in.
 */
export async function accept(actor: Actor, { token }: Accept, now: Date = Clock.now()): Promise<Accepted> {
  return transaction(async (tx) => {
    const found = await tx
      .deleteFrom("invitations")
      .where("token_hash", "=", hashSecret(token))
      .where("expires_at", ">", now)
      .returningAll()
      .executeTakeFirst();
    const team =
      found &&
      (await tx
        .selectFrom("teams")
        .select("id")
        .where("id", "=", found.team_id)
        .where("workspace_id", "=", found.workspace_id)
        .executeTakeFirst());
    if (!found || !team)
      throw new Fault(
        "expired",
        "link_expired",
        "This invitation was used before, was taken back, or is too old. Ask for a new one.",
      );
    const user = await tx
      .selectFrom("users")
      .select(["name", "email_key"])
      .where("id", "=", actor.userId)
      .executeTakeFirstOrThrow();
    if (user.email_key !== found.email_key)
      throw new Fault(
        "forbidden",
        "invitation_for_another",
        "This invitation is for another address. Log in with the account of that address.",
      );
    const { workspace_id: workspaceId, team_id: teamId } = found;
    const ids = { workspace_id: workspaceId, user_id: actor.userId };
    await tx
      .insertInto("memberships")
      .values({ ...ids, role: found.role, status: "active", joined_at: now })
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
    const changes = Object.fromEntries(
      Object.entries({ role, team: teamId, invitation: found.id }).map(([name, after]) => [
        name,
        { before: null, after },
      ]),
    );
    await Event.record(tx, actor, { action: "member.joined", target, workspaceId, changes }, now);
    return { workspaceId, teamId, role: role as Role };
  });
}

/** Forget links that are too old. Answers how many rows went. */
export async function purge(now: Date = Clock.now()): Promise<number> {
  const gone = await db().deleteFrom("invitations").where("expires_at", "<", now).executeTakeFirst();
  return Number(gone.numDeletedRows);
}

type Row = {
  id: string;
  team_id: string;
  email: string;
  role: string;
  invited_by: string;
  created_at: Date;
  expires_at: Date;
};

function view(row: Row): View {
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

function letter(to: string, token: string, from: string, workspace: string, team: string): Mail.Email {
  return Email.compose({
    to,
    subject: `${from} invites you to ${workspace}`,
    paragraphs: [
      `${from} asks you to join the team ${team} of the workspace ${workspace}.`,
      `Open the link within ${validDays} days, and log in or open an account with this address. If you do not know what this is about, do nothing.`,
    ],
    link: { label: "Join", url: `${Config.appUrl()}/accept-invitation#token=${token}` },
  });
}
