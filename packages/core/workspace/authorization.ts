import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import { Fault } from "../base/fault.ts";
import { requireScope } from "../base/token-scope.ts";
import { db } from "../platform/db/engine.ts";
import * as IpGate from "./ip-gate.ts";
import { hasSecondFactor, type Id } from "./second-factor.ts";

export const roles = ["member", "manager", "admin", "owner"] as const;
export const Role = z.enum(roles);
export type Role = z.infer<typeof Role>;

export const plans = ["FREE", "PRO", "ENTERPRISE"] as const;
export const Plan = z.enum(plans);
export type Plan = z.infer<typeof Plan>;

/** A caller's membership in a workspace: the role and plan that authorize them, and the settings that apply to them. */
export type Membership = {
  workspaceId: string;
  role: Role;
  plan: Plan;
  timezone: string;
  weekStart: number;
  /** Whether the caller sees hourly rates and budgets. The amounts of the caller's own time entries are always visible. */
  seesMoney: boolean;
  /** Whether members need a second factor while the plan has that feature. */
  requiresTwoFactor: boolean;
  /** Whether an IP allowlist is enforced. */
  ipRestricted: boolean;
};

/** Returns the roles below a role, lowest first: those that its holder may grant, and whose holders it may change. */
export function rolesBelow(role: Role): readonly Role[] {
  return roles.slice(0, roles.indexOf(role));
}

export type Required = { role?: Role; plan?: Plan };

/** Returns whether a role is at least as high as the required one. */
export function reaches(role: Role, required: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(required);
}

/** Returns whether a role sees the hourly rates and budgets of a workspace with this setting. */
export function seesMoney(role: Role, membersSeeMoney: boolean | null): boolean {
  return reaches(role, "manager") || membersSeeMoney !== false;
}

/** The workspace that a request is about: a named one, the one of a team, or the first one that the caller joined. */
export type WorkspaceRef = { workspaceId: string } | { teamId: string } | "first";

/**
 * Selects the caller's active membership in the workspace of a request, with everything that authorizes them: at most one row.
 * `user` and `grantedTo`, the workspace of an API token, may be expressions, so that the statement that authenticates the caller
 * can contain this one.
 */
export function membershipRowQuery(ref: WorkspaceRef, user: Id, grantedTo?: Id) {
  let query = workspacesOf(user).where("memberships.user_id", "=", user);
  if (grantedTo !== undefined) query = query.where("workspaces.id", "=", grantedTo);
  if (ref === "first") {
    // The order costs a quarter of the statement's time, so it is left out when at most one row matches.
    if (grantedTo !== undefined) return query;
    return query.orderBy("memberships.joined_at").orderBy("workspaces.id").limit(1);
  }
  if ("workspaceId" in ref) return query.where("workspaces.id", "=", ref.workspaceId);
  return query.where("workspaces.id", "=", ({ selectFrom }) =>
    selectFrom("teams").select("teams.workspace_id").where("teams.id", "=", ref.teamId),
  );
}

/** Returns the membership in a row that was joined with `membershipRowQuery`, or undefined if there was none to join. */
export function membershipRowIn(row: object): WorkspaceRow | undefined {
  return "workspaceId" in row && row.workspaceId !== null ? (row as WorkspaceRow) : undefined;
}

/** Reads the caller's membership in a workspace, which is not authorized yet. */
export function rowOf(actor: Actor, workspaceId: string): Promise<WorkspaceRow | undefined> {
  return membershipRowQuery({ workspaceId }, actor.userId, actor.grant?.workspaceId).executeTakeFirst();
}

/** Returns the caller's membership in a workspace. Throws the errors of `authorizeRow`. */
export async function authorize(actor: Actor, workspaceId: string): Promise<Membership> {
  return authorizeRow(actor, await rowOf(actor, workspaceId), {});
}

/**
 * Returns the membership in a row that was read before. Throws `missing` `workspace_not_found` alike for an unknown workspace and
 * for one the caller is not a member of, then the errors of `authorizeMember`.
 */
export async function authorizeRow(
  actor: Actor,
  row: WorkspaceRow | undefined,
  required: Required,
): Promise<Membership> {
  if (!row) throw missing();
  return authorizeMember(actor, row, required);
}

/**
 * Selects workspaces with the user's active membership, if they have one, and everything that `authorizeMember` needs, in one
 * query.
 */
export function workspacesOf(userId: Id) {
  return db()
    .selectFrom("workspaces")
    .leftJoin("memberships", (join) =>
      join
        .onRef("memberships.workspace_id", "=", "workspaces.id")
        .on("memberships.user_id", "=", userId)
        .on("memberships.status", "=", "active"),
    )
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
      "workspaces.members_see_money as membersSeeMoney",
      "workspaces.require_two_factor as requiresTwoFactor",
      "ip_allowlists.entries as allowed",
    ])
    .select(({ and, eb, not }) =>
      and([
        eb("workspaces.plan", "=", "ENTERPRISE"),
        eb("workspaces.require_two_factor", "=", true),
        not(hasSecondFactor(userId)),
      ]).as("lacksSecondFactor"),
    );
}

/** A row of `workspacesOf`. */
export type WorkspaceRow = Awaited<ReturnType<ReturnType<typeof workspacesOf>["execute"]>>[number];

/** The rules of a workspace that can refuse a member of any role, as codes of errors. */
export const Refusal = z.enum(["ip_not_allowed", "two_factor_required"]);
export type Refusal = z.infer<typeof Refusal>;

const refusals: Record<Refusal, string> = {
  ip_not_allowed: "This workspace does not allow access from your IP address.",
  two_factor_required:
    "This workspace requires two-factor authentication. Set it up in the security settings of your account.",
};

/**
 * Returns the rule of a workspace that refuses the caller, if one does: first its IP allowlist, then its requirement of a
 * second factor.
 */
export async function refusalOf(actor: Actor, row: WorkspaceRow): Promise<Refusal | undefined> {
  const { workspaceId: id, workspaceName: name, role, allowed, lacksSecondFactor } = row;
  const mayBypass = role !== null && reaches(role as Role, "admin");
  if (!(await IpGate.allows(actor, { id, name, mayBypass }, allowed))) return "ip_not_allowed";
  return lacksSecondFactor ? "two_factor_required" : undefined;
}

/**
 * Authorizes a member by IP address, second factor, plan, role and token scope. Throws, in this order: `forbidden`
 * `ip_not_allowed`, `forbidden` `two_factor_required`, the errors of `requirePlanAndRole`, and `forbidden`
 * `insufficient_scope` for an API token without the `admin` scope where an admin is required.
 */
export async function authorizeMember(
  actor: Actor,
  row: WorkspaceRow,
  required: Required,
): Promise<Membership> {
  const refusal = await refusalOf(actor, row);
  if (refusal) throw new Fault("forbidden", refusal, refusals[refusal]);
  const { workspaceId, timezone, weekStart, membersSeeMoney, requiresTwoFactor, allowed } = row;
  const role = row.role as Role;
  const membership: Membership = {
    workspaceId,
    role,
    plan: row.plan as Plan,
    timezone,
    weekStart,
    seesMoney: seesMoney(role, membersSeeMoney),
    requiresTwoFactor: requiresTwoFactor === true,
    ipRestricted: allowed !== null,
  };
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
