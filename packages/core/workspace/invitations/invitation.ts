import { sql } from "kysely";
import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import * as EmailAddress from "../../base/email-address.ts";
import { Fault } from "../../base/fault.ts";
import { Id, newId } from "../../base/id.ts";
import { Instant } from "../../base/instant.ts";
import * as Event from "../../event/event.ts";
import * as Config from "../../platform/config/config.ts";
import { hashSecret, newSecret } from "../../platform/crypto/secret.ts";
import { deleteInBatches } from "../../platform/db/delete-in-batches.ts";
import { db, type Reader, type Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import * as MailLimit from "../../platform/limit/mail-limit.ts";
import * as RateLimit from "../../platform/limit/rate-limit.ts";
import * as Email from "../../platform/mail/email.ts";
import * as Mail from "../../platform/mail/mail.ts";
import { Role, reaches, roles, rolesBelow } from "../authorization.ts";
import type { TeamMembership } from "../teams/team.ts";

export const validDays = 7;

/** The age in days from which a workspace with a paid plan may send any number of invitations a day. */
const trustedAfterDays = 7;

export const Invite = z.object({ email: EmailAddress.Email, role: z._default(Role, "member") });
export type Invite = z.infer<typeof Invite>;

export const Accept = z.object({ token: z.string().check(z.minLength(1), z.maxLength(100)) });
export type Accept = z.infer<typeof Accept>;

export const View = z.object({
  id: Id,
  teamId: Id,
  email: z.string(),
  role: Role,
  invitedBy: z.string(),
  createdAt: Instant,
  expiresAt: Instant,
});
export type View = z.infer<typeof View>;

export const Accepted = z.object({ workspaceId: Id, teamId: Id, role: Role });
export type Accepted = z.infer<typeof Accepted>;

/**
 * Invites someone to the team by email. Inviting the same email again sends a new link and voids the old one. At most five
 * invitations an hour are sent to one email address; further calls send nothing, and an earlier link stays valid. Throws
 * `forbidden` `insufficient_role` for a role that the caller may not grant, `conflict` `owner_is_fixed`, `already_member` or
 * `member_suspended`, `busy` `rate_limited` if a new or FREE workspace has sent its invitations of the day, and `upstream`
 * `mail_unavailable`.
 */
export async function invite(
  actor: Actor,
  membership: TeamMembership,
  { email, role }: Invite,
  report: RateLimit.Report = () => {},
  now: Date = Clock.now(),
): Promise<View> {
  if (role === "owner")
    throw new Fault(
      "conflict",
      "owner_is_fixed",
      "A workspace has exactly one owner. Transfer the workspace instead.",
    );
  if (!rolesBelow(membership.role).includes(role))
    throw new Fault("forbidden", "insufficient_role", "You can only grant roles lower than your own.");
  await limitPerDay(membership, report, now);
  const mailed = await MailLimit.permits("invitation", email, now);
  const token = newSecret();
  const { invitation, names } = await transaction(async (tx) => {
    await rejectMember(tx, membership, email);
    const invitation = await store(tx, actor, membership, { email, role, token, mailed }, now);
    const target = { type: "invitation", id: invitation.id, name: email } as const;
    const { workspaceId, teamId } = membership;
    const changes = Event.changes({}, { role, team: teamId });
    await Event.record(tx, actor, { action: "member.invited", target, workspaceId, changes }, now);
    return { invitation, names: await namesForEmail(tx, actor, membership) };
  });
  if (mailed) await Mail.send(invitationEmail(email, token, names));
  return invitation;
}

/**
 * Counts an invitation of a workspace that is new or on the FREE plan, because anyone can create one to send unwanted emails.
 * Throws `busy` `rate_limited` above the daily limit.
 */
async function limitPerDay(
  { workspaceId, plan }: TeamMembership,
  report: RateLimit.Report,
  now: Date,
): Promise<void> {
  const trusted = plan !== "FREE" && (await isOlderThan(workspaceId, trustedAfterDays, now));
  const quota = trusted ? undefined : await RateLimit.consume("dailyInvitations", workspaceId, now);
  if (!quota) return;
  report("dailyInvitations", quota);
  if (!quota.exceeded) return;
  throw new Fault(
    "busy",
    "rate_limited",
    `This workspace has sent ${quota.limit} invitations today. Invite more people tomorrow.`,
    { retryAfterSeconds: quota.resetSeconds },
  );
}

async function isOlderThan(workspaceId: string, days: number, now: Date): Promise<boolean> {
  const older = await db()
    .selectFrom("workspaces")
    .select("id")
    .where("id", "=", workspaceId)
    .where("created_at", "<=", new Date(now.getTime() - days * 86_400_000))
    .executeTakeFirst();
  return older !== undefined;
}

/**
 * Throws `conflict` `member_suspended` if the email belongs to a suspended member of the workspace, and `conflict`
 * `already_member` if it belongs to a member of the team.
 */
async function rejectMember(tx: Tx, { workspaceId, teamId }: TeamMembership, email: string): Promise<void> {
  const member = await tx
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .leftJoin("team_members", (join) =>
      join.onRef("team_members.user_id", "=", "users.id").on("team_members.team_id", "=", teamId),
    )
    .select(["memberships.status", "team_members.team_id as teamId"])
    .where("memberships.workspace_id", "=", workspaceId)
    .where("users.email_key", "=", EmailAddress.key(email))
    .executeTakeFirst();
  if (member?.status === "suspended")
    throw new Fault(
      "conflict",
      "member_suspended",
      "This person is suspended in the workspace. Reactivate them first.",
    );
  if (member?.teamId)
    throw new Fault("conflict", "already_member", "This person is already a member of the team.");
}

/** Stores an invitation, or renews the one of the same email. The token of a renewed one changes only if it is mailed. */
async function store(
  tx: Tx,
  actor: Actor,
  { workspaceId, teamId }: TeamMembership,
  { email, role, token, mailed }: Invite & { token: string; mailed: boolean },
  now: Date,
): Promise<View> {
  const link = { token_hash: hashSecret(token) };
  const values = {
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
      ...link,
      ...values,
    })
    .onConflict((conflict) =>
      conflict.columns(["team_id", "email_key"]).doUpdateSet({ ...values, ...(mailed && link) }),
    )
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

/** Lists the team's pending invitations, newest first. Those that can no longer be accepted are not included. */
export async function list({ teamId }: TeamMembership, now: Date = Clock.now()): Promise<View[]> {
  const rows = await pending(db(), now)
    .where("invitations.team_id", "=", teamId)
    .orderBy("invitations.id", "desc")
    .execute();
  return rows.map(view);
}

/** Selects the invitations that can be accepted: not expired, and sent by an active member who may still grant the role. */
function pending(reader: Reader, now: Date) {
  return reader
    .selectFrom("invitations")
    .innerJoin("teams", (join) =>
      join
        .onRef("teams.id", "=", "invitations.team_id")
        .onRef("teams.workspace_id", "=", "invitations.workspace_id"),
    )
    .innerJoin("memberships as inviter", (join) =>
      join
        .onRef("inviter.workspace_id", "=", "invitations.workspace_id")
        .onRef("inviter.user_id", "=", "invitations.invited_by")
        .on("inviter.status", "=", "active"),
    )
    .selectAll("invitations")
    .where("invitations.expires_at", ">", now)
    .where(({ eb, or }) =>
      or(
        roles
          .filter((role) => rolesBelow(role).length > 0)
          .map((role) => eb("inviter.role", "=", role).and("invitations.role", "in", rolesBelow(role))),
      ),
    );
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
 * Withdraws all pending invitations that a user sent or received in a workspace, inside the caller's transaction. For users who
 * leave, are removed or are suspended.
 */
export async function withdrawAll(tx: Tx, workspaceId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom("invitations")
    .where("workspace_id", "=", workspaceId)
    .where(({ eb, or, selectFrom }) =>
      or([
        eb("invited_by", "=", userId),
        eb("email_key", "=", selectFrom("users").select("email_key").where("id", "=", userId)),
      ]),
    )
    .execute();
}

/**
 * Withdraws the pending invitations of a member whose role is now `role` and may no longer grant theirs, inside the caller's
 * transaction. They stay void if the member gets the old role back.
 */
export async function withdrawUngrantable(
  tx: Tx,
  workspaceId: string,
  userId: string,
  role: Role,
): Promise<void> {
  await tx
    .deleteFrom("invitations")
    .where("workspace_id", "=", workspaceId)
    .where("invited_by", "=", userId)
    .where(
      "role",
      "in",
      roles.filter((invited) => reaches(invited, role)),
    )
    .execute();
}

/**
 * Accepts an invitation: the caller joins the team, and its workspace with the invited role. Someone who is already a member
 * of the workspace keeps their role. A link works once. Throws `expired` `link_expired`, also for a suspended member and when
 * the inviter may no longer grant the role, and `forbidden` `invitation_for_another` if the link was sent to an email other
 * than the caller's.
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
    const { role, status } = await tx
      .selectFrom("memberships")
      .select(["role", "status"])
      .where("workspace_id", "=", workspaceId)
      .where("user_id", "=", actor.userId)
      .executeTakeFirstOrThrow();
    if (status !== "active") throw expired();
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
  const invitation = await pending(tx, now)
    .where("invitations.token_hash", "=", hashSecret(token))
    .executeTakeFirst();
  if (!invitation) throw expired();
  await tx.deleteFrom("invitations").where("id", "=", invitation.id).execute();
  return invitation;
}

function expired(): Fault {
  return new Fault(
    "expired",
    "link_expired",
    "This invitation has expired, was revoked or was already used. Ask for a new one.",
  );
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
export function purge(now: Date = Clock.now()): Promise<number> {
  return deleteInBatches("invitations", ["id"], sql`expires_at < ${now}`);
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
