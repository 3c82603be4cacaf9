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

/** A caller's membership in a workspace: the role and plan that authorize them, and the calendar settings. */
export type Membership = { workspaceId: string; role: Role; plan: Plan; timezone: string; weekStart: number };

export type Required = { role?: Role; plan?: Plan };

/** Returns whether a role is at least as high as the required one. */
export function reaches(role: Role, required: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(required);
}

/**
 * Returns the caller's membership in a workspace, by default the first one they joined. Throws `missing`
 * `workspace_not_found` alike for an unknown workspace and for one the caller is not a member of, then the errors of
 * `authorizeMember`.
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

/** Selects memberships with everything that `authorizeMember` needs, in one query. */
export function memberships() {
  return db()
    .selectFrom("memberships")
    .innerJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .leftJoin("ip_allowlists", (join) =>
      join
        .onRef("ip_allowlists.workspace_id", "=", "workspaces.id")
        .on("ip_allowlists.enabled", "=", true)
        // After a downgrade the list can no longer be edited, so it is no longer enforced.
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
  allowed: IpGate.AllowedRanges;
};

/**
 * Authorizes a member by IP address, plan, role and token scope. Throws, in this order: `forbidden` `ip_not_allowed`, the
 * errors of `requirePlanAndRole`, and `forbidden` `insufficient_scope` for an API token without the `admin` scope where an
 * admin is required.
 */
export async function authorizeMember(
  actor: Actor,
  row: MembershipRow,
  required: Required,
): Promise<Membership> {
  const { workspaceId, workspaceName, allowed, timezone, weekStart } = row;
  const membership = { workspaceId, role: row.role as Role, plan: row.plan as Plan, timezone, weekStart };
  const mayBypass = reaches(membership.role, "admin");
  await IpGate.enforce(actor, { id: workspaceId, name: workspaceName, mayBypass }, allowed);
  requirePlanAndRole(membership, required);
  if (required.role && reaches(required.role, "admin")) requireScope(actor, "admin");
  return membership;
}

function missing(): Fault {
  return new Fault("missing", "workspace_not_found", "Workspace not found, or you are not a member of it.");
}

/**
 * Returns the membership if its plan and role suffice. Throws `forbidden` `plan_upgrade_required`, then `forbidden`
 * `insufficient_role`.
 */
export function requirePlanAndRole(membership: Membership, { role, plan }: Required): Membership {
  if (plan && plans.indexOf(membership.plan) < plans.indexOf(plan))
    throw new Fault(
      "forbidden",
      "plan_upgrade_required",
      `This feature requires the ${plan} plan. Upgrade the workspace.`,
      {
        extra: { requiredPlan: plan },
      },
    );
  if (role && !reaches(membership.role, role))
    throw new Fault("forbidden", "insufficient_role", `This action requires the role ${role} or higher.`);
  return membership;
}
