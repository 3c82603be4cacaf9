import * as z from "zod/mini";
import type { Actor } from "../account/actor.ts";
import * as Clock from "../clock/clock.ts";
import { db, type Reader, type Tx } from "../db/engine.ts";
import { transaction } from "../db/transaction.ts";
import * as Event from "../event/event.ts";
import { Fault } from "../fault.ts";
import { newId } from "../id.ts";
import * as IpGate from "../security/ip-gate.ts";
import * as Scope from "../security/scope.ts";
import { Name } from "../text.ts";

export const roles = ["member", "manager", "admin", "owner"] as const;
export const Role = z.enum(roles);
export type Role = z.infer<typeof Role>;

export const plans = ["FREE", "PRO", "ENTERPRISE"] as const;
export const Plan = z.enum(plans);
export type Plan = z.infer<typeof Plan>;

export const View = z.object({
  id: z.string(),
  name: z.string(),
  plan: Plan,
  role: Role,
  baseCurrency: z.string(),
});
export type View = z.infer<typeof View>;

export const Create = z.object({ name: Name });
export type Create = z.infer<typeof Create>;

/** A caller inside a workspace: what they may do there is decided from this, and what a day and a week are there. */
export type Seat = { workspaceId: string; role: Role; plan: Plan; timezone: string; weekStart: number };

export type Required = { role?: Role; plan?: Plan };

/** Whether a role is at least as high as another. */
export function reaches(role: Role, required: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(required);
}

/**
 * The caller's seat in this workspace, or in their first one when none is named. Throws 404 `workspace_not_found` alike
 * for a workspace that is not there and for one that is not theirs, then what `letIn` throws.
 */
export async function admit(
  actor: Actor,
  workspaceId: string | undefined,
  required: Required = {},
): Promise<Seat> {
  let query = seats()
    .where("memberships.user_id", "=", actor.userId)
    .where("memberships.status", "=", "active")
    .orderBy("memberships.joined_at")
    .orderBy("workspaces.id")
    .limit(1);
  if (workspaceId !== undefined) query = query.where("workspaces.id", "=", workspaceId);
  if (actor.grant) query = query.where("workspaces.id", "=", actor.grant.workspaceId);
  const row = await query.executeTakeFirst();
  if (!row) throw missing();
  return letIn(actor, row, required);
}

/** Memberships with all that an admission is decided by, in one statement. */
export function seats() {
  return db()
    .selectFrom("memberships")
    .innerJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .leftJoin("ip_allowlists", (join) =>
      join
        .onRef("ip_allowlists.workspace_id", "=", "workspaces.id")
        .on("ip_allowlists.enabled", "=", true)
        // Who has left the plan cannot change the list any more, so it must not hold them.
        .on("workspaces.plan", "=", "ENTERPRISE"),
    )
    .select([
      "workspaces.id as workspaceId",
      "workspaces.name as workspaceName",
      "memberships.role",
      "workspaces.plan",
      "workspaces.timezone",
      "workspaces.week_start as weekStart",
      "ip_allowlists.entries as allowed",
    ]);
}

type SeatRow = {
  workspaceId: string;
  workspaceName: string;
  role: string;
  plan: string;
  timezone: string;
  weekStart: number;
  allowed: IpGate.Entries;
};

/**
 * The seat of a member, once everything else is in order too. Throws in this order: 403 `ip_not_allowed`, what `seated`
 * throws, and 403 `insufficient_scope` for a program whose token does not reach to what needs an admin.
 */
export async function letIn(actor: Actor, row: SeatRow, required: Required): Promise<Seat> {
  const { workspaceId, workspaceName, allowed, timezone, weekStart } = row;
  const seat = { workspaceId, role: row.role as Role, plan: row.plan as Plan, timezone, weekStart };
  const mayBypass = reaches(seat.role, "admin");
  await IpGate.pass(actor, { id: workspaceId, name: workspaceName, mayBypass }, allowed);
  seated(seat, required);
  if (required.role && reaches(required.role, "admin")) Scope.demand(actor, "admin");
  return seat;
}

function missing(): Fault {
  return new Fault(
    "missing",
    "workspace_not_found",
    "There is no such workspace, or you are not a member of it.",
  );
}

/** The seat, if plan and role suffice: else 403 `plan_upgrade_required`, then 403 `insufficient_role`. */
export function seated(seat: Seat, { role, plan }: Required): Seat {
  if (plan && plans.indexOf(seat.plan) < plans.indexOf(plan))
    throw new Fault("forbidden", "plan_upgrade_required", `This needs the ${plan} plan.`, {
      extra: { requiredPlan: plan },
    });
  if (role && !reaches(seat.role, role))
    throw new Fault("forbidden", "insufficient_role", `This needs the role ${role} or a higher one.`);
  return seat;
}

/** What its times and amounts are read by. */
export type Settings = { timezone: string; baseCurrency: string };

/** The settings of a workspace that is there. */
export async function settings(reader: Reader, workspaceId: string): Promise<Settings> {
  return reader
    .selectFrom("workspaces")
    .select(["timezone", "base_currency as baseCurrency"])
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow();
}

/** Every workspace the caller is an active member of, in the order they joined; for a program, its own. */
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
    ])
    .where("memberships.user_id", "=", userId)
    .where("memberships.status", "=", "active")
    .orderBy("memberships.joined_at")
    .orderBy("workspaces.id");
  if (grant) query = query.where("workspaces.id", "=", grant.workspaceId);
  return (await query.execute()) as View[];
}

/** A new FREE workspace that the caller owns, with its first team. */
export async function create(actor: Actor, { name }: Create, now: Date = Clock.now()): Promise<View> {
  return transaction((tx) => found(tx, actor, actor.userId, name, now));
}

/** The part of `create` that runs inside somebody else's transaction: a verified account gets its workspace with it. */
export async function found(tx: Tx, by: Event.By, ownerId: string, name: string, now: Date): Promise<View> {
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
    .values({ ...workspace, timezone: "UTC", week_start: 1, created_at: now, updated_at: now })
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
  await Event.record(tx, by, { action: "workspace.created", target, workspaceId: workspace.id }, now);
  return { id: workspace.id, name, plan: "FREE", role: "owner", baseCurrency: workspace.base_currency };
}

export const SetPlan = z.object({ workspaceId: z.string(), plan: Plan });
export type SetPlan = z.infer<typeof SetPlan>;

/** An operator changes what a workspace pays for. Throws 404 `workspace_not_found`. */
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
    if (!before) throw new Fault("missing", "workspace_not_found", "There is no such workspace.");
    if (before.plan === plan) return;
    await tx.updateTable("workspaces").set({ plan, updated_at: now }).where("id", "=", workspaceId).execute();
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
