import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { CurrencyCode } from "../base/currency-code.ts";
import { Fault } from "../base/fault.ts";
import { Id, newId } from "../base/id.ts";
import { Name } from "../base/text.ts";
import * as Event from "../event/event.ts";
import { db, type Reader, type Tx } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { changed } from "../platform/db/version.ts";
import { Plan, Role } from "./authorization.ts";
import { limitReached, lock, maxOwnedWorkspaces } from "./limits.ts";

export const View = z.object({
  id: Id,
  name: z.string(),
  plan: Plan,
  role: Role,
  baseCurrency: CurrencyCode,
  requireTwoFactor: z.boolean(),
});
export type View = z.infer<typeof View>;

export const Create = z.object({ name: Name });
export type Create = z.infer<typeof Create>;

/** The time zone and base currency of a workspace. */
export type Settings = { timezone: string; baseCurrency: string };

/** Loads the settings of an existing workspace. */
export async function settings(reader: Reader, workspaceId: string): Promise<Settings> {
  return reader
    .selectFrom("workspaces")
    .select(["timezone", "base_currency as baseCurrency"])
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow();
}

/**
 * Lists the workspaces the caller is an active member of, in the order they joined. An API token lists only its own
 * workspace.
 */
export async function list({ userId, grant }: Pick<Actor, "userId" | "grant">): Promise<View[]> {
  let query = db()
    .selectFrom("memberships")
    .innerJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .select([
      "workspaces.id",
      "workspaces.name",
      "workspaces.plan",
      "memberships.role",
      "workspaces.base_currency as baseCurrency",
      "workspaces.require_two_factor as requireTwoFactor",
    ])
    .where("memberships.user_id", "=", userId)
    .where("memberships.status", "=", "active")
    .orderBy("memberships.joined_at")
    .orderBy("workspaces.id");
  if (grant) query = query.where("workspaces.id", "=", grant.workspaceId);
  const rows = await query.execute();
  return rows.map((row) => ({ ...row, requireTwoFactor: row.requireTwoFactor === true })) as View[];
}

/**
 * Creates a FREE workspace with its first team. The caller becomes the owner. Throws `conflict` `limit_reached` for a caller
 * who owns `maxOwnedWorkspaces`.
 */
export async function create(actor: Actor, { name }: Create, now: Date = Clock.now()): Promise<View> {
  return transaction(async (tx) => {
    const workspace = await createInTransaction(tx, actor, actor.userId, name, now);
    await requireOwnerWithinLimit(
      tx,
      actor.userId,
      `You own ${maxOwnedWorkspaces} workspaces, which is the maximum. Transfer one to another member first.`,
    );
    return workspace;
  });
}

/**
 * Throws `conflict` `limit_reached` with this message if a user owns more than `maxOwnedWorkspaces`. Call it in the transaction
 * that gives the user another one, after that change.
 */
export async function requireOwnerWithinLimit(tx: Tx, userId: string, message: string): Promise<void> {
  await lock(tx, "users", userId);
  const { owned } = await tx
    .selectFrom("memberships")
    .select(({ fn }) => fn.countAll<bigint>().as("owned"))
    .where("user_id", "=", userId)
    .where("role", "=", "owner")
    .executeTakeFirstOrThrow();
  if (Number(owned) > maxOwnedWorkspaces) throw limitReached(maxOwnedWorkspaces, message);
}

/** Creates a workspace inside the caller's transaction, without checking how many the owner has. */
export async function createInTransaction(
  tx: Tx,
  by: Event.EventActor,
  ownerId: string,
  name: string,
  now: Date,
  region: { timezone?: string; week_start?: number } = {},
): Promise<View> {
  const workspace = { id: newId("wsp", now), name, plan: "FREE", base_currency: "EUR" } as const;
  const team = {
    id: newId("team", now),
    workspace_id: workspace.id,
    name: "General",
    created_at: now,
    updated_at: now,
  };
  await tx
    .insertInto("workspaces")
    .values({
      ...workspace,
      timezone: "UTC",
      week_start: 1,
      ...region,
      members_see_money: false,
      require_two_factor: false,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await tx
    .insertInto("memberships")
    .values({ workspace_id: workspace.id, user_id: ownerId, role: "owner", status: "active", joined_at: now })
    .execute();
  await tx.insertInto("teams").values(team).execute();
  await tx
    .insertInto("team_members")
    .values({ team_id: team.id, user_id: ownerId, joined_at: now })
    .execute();
  const target = { type: "workspace", id: workspace.id, name } as const;
  const { plan, base_currency: baseCurrency } = workspace;
  const changes = Event.changes({}, { name, plan, baseCurrency });
  await Event.record(
    tx,
    by,
    { action: "workspace.created", target, workspaceId: workspace.id, changes },
    now,
  );
  return { id: workspace.id, name, plan, role: "owner", baseCurrency, requireTwoFactor: false };
}

export const SetPlan = z.object({ workspaceId: Id, plan: Plan });
export type SetPlan = z.infer<typeof SetPlan>;

/** Changes a workspace's plan, for operators. Throws `missing` `workspace_not_found`. */
export async function setPlan(
  requestId: string,
  { workspaceId, plan }: SetPlan,
  now: Date = Clock.now(),
): Promise<SetPlan> {
  await transaction(async (tx) => {
    const before = await tx
      .selectFrom("workspaces")
      .select(["plan", "name"])
      .where("id", "=", workspaceId)
      .executeTakeFirst();
    if (!before) throw new Fault("missing", "workspace_not_found", "Workspace not found.");
    if (before.plan === plan) return;
    await tx
      .updateTable("workspaces")
      .set({ plan, ...changed(now) })
      .where("id", "=", workspaceId)
      .execute();
    await Event.record(
      tx,
      { job: "set-plan", requestId },
      {
        action: "workspace.plan_changed",
        target: { type: "workspace", id: workspaceId, name: before.name },
        workspaceId,
        changes: { plan: { before: before.plan, after: plan } },
      },
      now,
    );
  });
  return { workspaceId, plan };
}
