import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import { Fault } from "../base/fault.ts";
import { requireScope } from "../base/token-scope.ts";
import { db } from "../platform/db/engine.ts";
import * as IpGate from "./ip-gate.ts";

export const roles = ["member", "manager", "admin", "owner"] as const;
export const Role = z.enum(roles);
export type Role = z.infer<typeof Role>;

export const plans = ["FREE", "PRO", "ENTERPRISE"] as const;
export const Plan = z.enum(plans);
export type Plan = z.infer<typeof Plan>;

/** A caller inside a workspace: what they may do there is decided from this, and what a day and a week are there. */
export type Membership = { workspaceId: string; role: Role; plan: Plan; timezone: string; weekStart: number };

export type Required = { role?: Role; plan?: Plan };

/** Whether a role is at least as high as another. */
export function reaches(role: Role, required: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(required);
}

/**
 * The caller's membership in this workspace, or in their first one when none is named. Throws 404 `workspace_not_found` alike
 * for a workspace that is not there and for one that is not theirs, then what `authorizeMember` throws.
 */
export async function authorize(
  actor: Actor,
  workspaceId: string | undefined,
  required: Required = {},
): Promise<Membership> {
  let query = memberships()
    .where("memberships.user_id", "=", actor.userId)
    .where("memberships.status", "=", "active")
    .orderBy("memberships.joined_at")
    .orderBy("workspaces.id")
    .limit(1);
  if (workspaceId !== undefined) query = query.where("workspaces.id", "=", workspaceId);
  if (actor.grant) query = query.where("workspaces.id", "=", actor.grant.workspaceId);
  const row = await query.executeTakeFirst();
  if (!row) throw missing();
  return authorizeMember(actor, row, required);
}

/** Memberships with all that an admission is decided by, in one statement. */
export function memberships() {
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

type MembershipRow = {
  workspaceId: string;
  workspaceName: string;
  role: string;
  plan: string;
  timezone: string;
  weekStart: number;
  allowed: IpGate.Entries;
};

/**
 * The membership of a member, once everything else is in order too. Throws in this order: 403 `ip_not_allowed`, what `requirePlanAndRole`
 * throws, and 403 `insufficient_scope` for a program whose token does not reach to what needs an admin.
 */
export async function authorizeMember(
  actor: Actor,
  row: MembershipRow,
  required: Required,
): Promise<Membership> {
  const { workspaceId, workspaceName, allowed, timezone, weekStart } = row;
  const membership = { workspaceId, role: row.role as Role, plan: row.plan as Plan, timezone, weekStart };
  const mayBypass = reaches(membership.role, "admin");
  await IpGate.pass(actor, { id: workspaceId, name: workspaceName, mayBypass }, allowed);
  requirePlanAndRole(membership, required);
  if (required.role && reaches(required.role, "admin")) requireScope(actor, "admin");
  return membership;
}

function missing(): Fault {
  return new Fault(
    "missing",
    "workspace_not_found",
    "There is no such workspace, or you are not a member of it.",
  );
}

/** The membership, if plan and role suffice: else 403 `plan_upgrade_required`, then 403 `insufficient_role`. */
export function requirePlanAndRole(membership: Membership, { role, plan }: Required): Membership {
  if (plan && plans.indexOf(membership.plan) < plans.indexOf(plan))
    throw new Fault("forbidden", "plan_upgrade_required", `This needs the ${plan} plan.`, {
      extra: { requiredPlan: plan },
    });
  if (role && !reaches(membership.role, role))
    throw new Fault("forbidden", "insufficient_role", `This needs the role ${role} or a higher one.`);
  return membership;
}
