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
import { ofPeople, ofWorkspaces, tables } from "./footprint.ts";
import { forget } from "./leave-workspace.ts";
import { formerName, scrub } from "./scrub.ts";

/**
 * Delete the caller's account: the picture, all sessions, devices, factors, tokens, memberships and personal fields. The
 * row stays without a name, so that what the person did keeps its place in the workspaces' reports; a running timer is
 * stopped. Workspaces that nobody else is in go too, with all that is in them. Throws 403 `reauthentication_required`, 409
 * `sole_owner` while the caller owns a workspace with other members, and 502 `storage_unavailable`, after which the account
 * is as it was.
 */
export async function remove(actor: Actor, now: Date = Clock.now()): Promise<void> {
  await Reauthentication.demand(actor, now);
  await refuseOwner(db(), actor.userId);
  // First, as in every removal of a picture: what is left over after a crash is an account that can be deleted again.
  await removeAvatar(actor, now);
  await transaction((tx) => erase(tx, actor, now));
  // The account is gone whatever happens now; what is left over the next purge takes.
  await scrub(actor.userId).catch((error: Error) =>
    log.error("scrubbing is left to the purge", { userId: actor.userId, error }),
  );
}

async function erase(tx: Tx, actor: Actor, now: Date): Promise<void> {
  const { userId } = actor;
  await refuseOwner(tx, userId);
  const user = await tx
    .selectFrom("users")
    .select(["email_key", "name"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  const target = { type: "user", id: userId, name: formerName } as const;
  const by = { ...actor, ip: "", userAgent: "" };
  for (const { workspaceId, role } of await memberships(tx, userId)) {
    await forget(tx, by, workspaceId, now);
    if (role === "owner") await close(tx, by, workspaceId, now);
    else await Event.record(tx, by, { action: "member.left", target, workspaceId }, now);
  }
  for (const table of tables(ofPeople, "at once"))
    await tx.deleteFrom(table).where("user_id", "=", userId).execute();
  await Factors.forget(tx, userId);
  await forgetInvitations(tx, userId, user.email_key);
  await tx.deleteFrom("login_failures").where("subject", "=", LockOut.subject(user.email_key)).execute();
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
  await Event.record(tx, by, { action: "user.deleted", target }, now);
}

async function refuseOwner(reader: Pick<Tx, "selectFrom">, userId: string): Promise<void> {
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
    "You own a workspace with other members: hand it over first (POST /workspaces/{id}/transfer).",
    { extra: { workspaceId: owned.workspace_id } },
  );
}

/** Whoever was invited stands in the log by their address: in the entries of the invitations that were theirs. */
async function forgetInvitations(tx: Tx, userId: string, emailKey: string): Promise<void> {
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

async function memberships(tx: Tx, userId: string): Promise<{ workspaceId: string; role: string }[]> {
  return tx
    .selectFrom("memberships")
    .select(["workspace_id as workspaceId", "role"])
    .where("user_id", "=", userId)
    .execute();
}

/** A workspace without anybody in it: nobody can ever come in again. The event says to `scrub` what is left to do. */
async function close(tx: Tx, by: Actor, workspaceId: string, now: Date): Promise<void> {
  for (const table of tables(ofWorkspaces, "at once"))
    await tx.deleteFrom(table).where("workspace_id", "=", workspaceId).execute();
  for (const table of tables(ofWorkspaces, "runs out"))
    await tx.updateTable(table).set({ expires_at: now }).where("workspace_id", "=", workspaceId).execute();
  await tx.deleteFrom("workspaces").where("id", "=", workspaceId).execute();
  const target = { type: "workspace", id: workspaceId, name: "" } as const;
  await Event.record(tx, by, { action: "workspace.closed", target }, now);
}
