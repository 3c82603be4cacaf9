import { remove as removeAvatar } from "../avatar/remove.ts";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import * as EmailAddress from "../base/email-address.ts";
import { Fault } from "../base/fault.ts";
import * as Erasure from "../event/erasure.ts";
import * as Event from "../event/event.ts";
import * as Factors from "../identity/factors/factors.ts";
import * as Password from "../identity/password/hash.ts";
import * as LockOut from "../identity/password/lock-out.ts";
import * as Reauthentication from "../identity/sign-in/reauthentication.ts";
import { db, type Tx } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { changed } from "../platform/db/version.ts";
import { log } from "../platform/log/log.ts";
import { anonymize } from "./anonymize.ts";
import { tablesWith, userTables, workspaceTables } from "./deletion-rules.ts";
import { removeMemberData, transferOwnership } from "./leave-workspace.ts";

/**
 * Deletes the caller's account: avatar, sessions, devices, factors, tokens, memberships and personal fields. The user row
 * stays without a name, so that their time entries stay in reports; a running timer is stopped. Workspaces without other
 * active members are deleted with everything in them. Throws `forbidden` `reauthentication_required`, `conflict` `sole_owner`
 * while the caller owns a workspace with other active members, and `upstream` `storage_unavailable`, which leaves the account
 * unchanged.
 */
export async function remove(actor: Actor, now: Date = Clock.now()): Promise<void> {
  await Reauthentication.requireRecent(actor, now);
  await rejectOwnerOfSharedWorkspace(db(), actor.userId);
  await erase(actor, now, (tx) => rejectOwnerOfSharedWorkspace(tx, actor.userId));
}

/**
 * Deletes the account of a user who had deleted it before a backup was restored. Workspaces that the user shared with others
 * were transferred before that deletion, but perhaps after the backup: they go to an admin, or to another member if they have
 * none, in both cases to the one who joined first. Throws `upstream` `storage_unavailable`.
 */
export async function removeAgain(userId: string, by: Event.Job, now: Date = Clock.now()): Promise<void> {
  const actor = { userId, sessionId: "", ip: "", userAgent: "", requestId: by.requestId };
  await erase(actor, now, (tx) => transferSharedWorkspaces(tx, by, userId, now));
}

/** Erases the user. `settleOwnership` runs first in the transaction, for the workspaces that the user shares. */
async function erase(actor: Actor, now: Date, settleOwnership: (tx: Tx) => Promise<void>): Promise<void> {
  // The avatar comes first: after a crash the account still exists and can be deleted again.
  await removeAvatar(actor, now);
  await transaction(async (tx) => {
    await settleOwnership(tx);
    await deleteUser(tx, actor, now);
  });
  // The account is deleted even if this fails: the next purge anonymizes the rest.
  await anonymize(actor.userId).catch((error: Error) =>
    log.error("anonymization deferred to purge", { userId: actor.userId, error }),
  );
}

async function deleteUser(tx: Tx, actor: Actor, now: Date): Promise<void> {
  const { userId } = actor;
  const emailKeys = await emailKeysOf(tx, userId);
  const { viewer: _, ...call } = actor;
  const by = { ...call, ip: "", userAgent: "" };
  await anonymizeInvitations(tx, userId, emailKeys);
  await leaveWorkspaces(tx, by, now);
  for (const table of tablesWith(userTables, "immediate"))
    await tx.deleteFrom(table).where("user_id", "=", userId).execute();
  await Factors.removeAll(tx, userId);
  await tx.deleteFrom("registrations").where("email_key", "in", emailKeys).execute();
  const subjects = emailKeys.map((emailKey) => LockOut.subject(emailKey));
  await tx.deleteFrom("login_failures").where("subject", "in", subjects).execute();
  await clearUser(tx, userId, now);
  await Event.record(tx, by, { action: "user.deleted", target: formerUser(userId) }, now);
  await Erasure.note(tx, { account: userId }, now);
}

/** Returns the user's email and those that it replaced in the last seven days, which open invitations may name. */
async function emailKeysOf(tx: Tx, userId: string): Promise<string[]> {
  const user = await tx
    .selectFrom("users")
    .select("email_key")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  const replaced = await tx
    .selectFrom("email_changes")
    .select("old_email")
    .where("user_id", "=", userId)
    .execute();
  return [user.email_key, ...replaced.map(({ old_email }) => EmailAddress.key(old_email))];
}

async function leaveWorkspaces(tx: Tx, by: Actor, now: Date): Promise<void> {
  const memberships = await tx
    .selectFrom("memberships")
    .select(["workspace_id as workspaceId", "role"])
    .where("user_id", "=", by.userId)
    .execute();
  const target = formerUser(by.userId);
  for (const { workspaceId, role } of memberships) {
    await removeMemberData(tx, by, { workspaceId, userId: by.userId }, now);
    if (role === "owner") await closeWorkspace(tx, by, workspaceId, now);
    else await Event.record(tx, by, { action: "member.left", target, workspaceId }, now);
  }
}

/** Clears all personal fields of the user row. */
async function clearUser(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx
    .updateTable("users")
    .set({
      email: "",
      email_key: `deleted:${userId}`,
      password_hash: Password.unmatchable(),
      name: Erasure.formerName,
      avatar: "",
      avatar_placeholder: null,
      title: "",
      phone: "",
      locale: "en",
      timezone: "UTC",
      email_verified_at: null,
      last_active_at: null,
      deleted_at: now,
      ...changed(now),
    })
    .where("id", "=", userId)
    .execute();
}

/** Selects the workspaces that the user owns and shares with other active members, once for each of these. */
function sharedWorkspaces(reader: Pick<Tx, "selectFrom">, userId: string) {
  return reader
    .selectFrom("memberships as mine")
    .innerJoin("memberships as others", "others.workspace_id", "mine.workspace_id")
    .where("mine.user_id", "=", userId)
    .where("mine.role", "=", "owner")
    .where("others.user_id", "<>", userId)
    .where("others.status", "=", "active");
}

async function transferSharedWorkspaces(tx: Tx, by: Event.Job, userId: string, now: Date): Promise<void> {
  const members = await sharedWorkspaces(tx, userId)
    .select(["mine.workspace_id as workspaceId", "others.user_id as userId"])
    .orderBy("mine.workspace_id")
    .orderBy((order) => order.case().when("others.role", "=", "admin").then(0).else(1).end())
    .orderBy("others.joined_at")
    .orderBy("others.user_id")
    .execute();
  const successors = members.filter(
    ({ workspaceId }, at) => at === 0 || members[at - 1]?.workspaceId !== workspaceId,
  );
  for (const { workspaceId, userId: successorId } of successors)
    await transferOwnership(tx, by, { workspaceId, from: userId, to: successorId }, now);
}

async function rejectOwnerOfSharedWorkspace(reader: Pick<Tx, "selectFrom">, userId: string): Promise<void> {
  const owned = await sharedWorkspaces(reader, userId)
    .select("mine.workspace_id")
    .limit(1)
    .executeTakeFirst();
  if (!owned) return;
  throw new Fault(
    "conflict",
    "sole_owner",
    "You own a workspace with other members. Transfer it to another member first.",
    { extra: { workspaceId: owned.workspace_id } },
  );
}

/** Deletes open invitations of the user, and clears their email from the audit log entries about their invitations. */
async function anonymizeInvitations(tx: Tx, userId: string, emailKeys: string[]): Promise<void> {
  const open = await tx
    .deleteFrom("invitations")
    .where("email_key", "in", emailKeys)
    .returning("id")
    .execute();
  const joined = await tx
    .selectFrom("events")
    .select("changes")
    .where("target_id", "=", userId)
    .where("action", "=", "member.joined")
    .execute();
  const accepted = joined.map(
    ({ changes }) => (changes.invitation as { after?: unknown } | undefined)?.after,
  );
  const ids = [...open.map(({ id }) => id), ...accepted.filter((id) => typeof id === "string")];
  if (ids.length === 0) return;
  await tx
    .updateTable("events")
    .set({ target_name: Erasure.formerName, name_salt: null })
    .where("target_type", "=", "invitation")
    .where("target_id", "in", ids)
    .execute();
}

/**
 * Deletes a workspace without other active members. From its `workspace.closed` event, `anonymize` finds the rows that are left to
 * delete.
 */
async function closeWorkspace(tx: Tx, by: Actor, workspaceId: string, now: Date): Promise<void> {
  // Suspended members may still be in teams.
  await tx
    .deleteFrom("team_members")
    .where("team_id", "in", (select) =>
      select.selectFrom("teams").select("teams.id").where("teams.workspace_id", "=", workspaceId),
    )
    .execute();
  for (const table of tablesWith(workspaceTables, "immediate"))
    await tx.deleteFrom(table).where("workspace_id", "=", workspaceId).execute();
  for (const table of tablesWith(workspaceTables, "expired"))
    await tx.updateTable(table).set({ expires_at: now }).where("workspace_id", "=", workspaceId).execute();
  await tx.deleteFrom("workspaces").where("id", "=", workspaceId).execute();
  const target = { type: "workspace", id: workspaceId, name: "" } as const;
  await Event.record(tx, by, { action: "workspace.closed", target }, now);
}

function formerUser(id: string) {
  return { type: "user", id, name: Erasure.formerName } as const;
}
