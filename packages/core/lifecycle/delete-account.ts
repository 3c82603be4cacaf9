import { remove as removeAvatar } from "../avatar/remove.ts";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import * as Event from "../event/event.ts";
import * as Factors from "../identity/factors/factors.ts";
import * as Password from "../identity/password/hash.ts";
import * as LockOut from "../identity/password/lock-out.ts";
import * as Reauthentication from "../identity/password/reauthentication.ts";
import { db, type Tx } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { log } from "../platform/log/log.ts";
import { anonymize, formerName } from "./anonymize.ts";
import { tablesWith, userTables, workspaceTables } from "./deletion-rules.ts";
import { removeMemberData } from "./leave-workspace.ts";

/**
 * Deletes the caller's account: avatar, sessions, devices, factors, tokens, memberships and personal fields. The user row
 * stays without a name, so that their time entries stay in reports; a running timer is stopped. Workspaces without other
 * members are deleted with everything in them. Throws `forbidden` `reauthentication_required`, `conflict` `sole_owner` while
 * the caller owns a workspace with other members, and `upstream` `storage_unavailable`, which leaves the account unchanged.
 */
export async function remove(actor: Actor, now: Date = Clock.now()): Promise<void> {
  await Reauthentication.requireRecent(actor, now);
  await rejectOwnerOfSharedWorkspace(db(), actor.userId);
  // The avatar comes first: after a crash the account still exists and can be deleted again.
  await removeAvatar(actor, now);
  await transaction((tx) => deleteUser(tx, actor, now));
  // The account is deleted even if this fails: the next purge anonymizes the rest.
  await anonymize(actor.userId).catch((error: Error) =>
    log.error("anonymization deferred to purge", { userId: actor.userId, error }),
  );
}

async function deleteUser(tx: Tx, actor: Actor, now: Date): Promise<void> {
  const { userId } = actor;
  await rejectOwnerOfSharedWorkspace(tx, userId);
  const { email_key: emailKey } = await tx
    .selectFrom("users")
    .select("email_key")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  const by = { ...actor, ip: "", userAgent: "" };
  await leaveWorkspaces(tx, by, now);
  for (const table of tablesWith(userTables, "immediate"))
    await tx.deleteFrom(table).where("user_id", "=", userId).execute();
  await Factors.removeAll(tx, userId);
  await anonymizeInvitations(tx, userId, emailKey);
  await tx.deleteFrom("login_failures").where("subject", "=", LockOut.subject(emailKey)).execute();
  await clearUser(tx, userId, now);
  await Event.record(tx, by, { action: "user.deleted", target: formerUser(userId) }, now);
}

async function leaveWorkspaces(tx: Tx, by: Actor, now: Date): Promise<void> {
  const memberships = await tx
    .selectFrom("memberships")
    .select(["workspace_id as workspaceId", "role"])
    .where("user_id", "=", by.userId)
    .execute();
  const target = formerUser(by.userId);
  for (const { workspaceId, role } of memberships) {
    await removeMemberData(tx, by, workspaceId, now);
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
      name: formerName,
      avatar: "",
      title: "",
      phone: "",
      locale: "en",
      timezone: "UTC",
      email_verified_at: null,
      last_active_at: null,
      deleted_at: now,
      updated_at: now,
    })
    .where("id", "=", userId)
    .execute();
}

async function rejectOwnerOfSharedWorkspace(reader: Pick<Tx, "selectFrom">, userId: string): Promise<void> {
  const owned = await reader
    .selectFrom("memberships as mine")
    .innerJoin("memberships as others", "others.workspace_id", "mine.workspace_id")
    .select("mine.workspace_id")
    .where("mine.user_id", "=", userId)
    .where("mine.role", "=", "owner")
    .where("others.user_id", "<>", userId)
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
async function anonymizeInvitations(tx: Tx, userId: string, emailKey: string): Promise<void> {
  const open = await tx.deleteFrom("invitations").where("email_key", "=", emailKey).returning("id").execute();
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
    .set({ target_name: formerName })
    .where("target_type", "=", "invitation")
    .where("target_id", "in", ids)
    .execute();
}

/**
 * Deletes a workspace without other members. From its `workspace.closed` event, `anonymize` finds the rows that are left to
 * delete.
 */
async function closeWorkspace(tx: Tx, by: Actor, workspaceId: string, now: Date): Promise<void> {
  for (const table of tablesWith(workspaceTables, "immediate"))
    await tx.deleteFrom(table).where("workspace_id", "=", workspaceId).execute();
  for (const table of tablesWith(workspaceTables, "expired"))
    await tx.updateTable(table).set({ expires_at: now }).where("workspace_id", "=", workspaceId).execute();
  await tx.deleteFrom("workspaces").where("id", "=", workspaceId).execute();
  const target = { type: "workspace", id: workspaceId, name: "" } as const;
  await Event.record(tx, by, { action: "workspace.closed", target }, now);
}

function formerUser(id: string) {
  return { type: "user", id, name: formerName } as const;
}
