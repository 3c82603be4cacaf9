import type { Actor } from "@svc/core/base/actor";
import * as Authorization from "@svc/core/workspace/authorization";
import * as Team from "@svc/core/workspace/teams/team";
import type { Call, Step } from "./api.ts";
import { cookie, workspaceCookie } from "./cookies.ts";
import { idOf } from "./input.ts";

type SignedIn = Call & { actor: Actor; membershipRow?: Authorization.WorkspaceRow | undefined };

/**
 * Authorizes the caller in the current workspace: the one in the header, else the one in the cookie, else the caller's first
 * one. Adds `membership`.
 */
export function workspace(
  required: Authorization.Required = {},
): Step<SignedIn, { membership: Authorization.Membership }> {
  return {
    contract: {
      codes: { missing: ["workspace_not_found"], ...refusals(required) },
      ...(required.role && { role: required.role }),
      headers: [
        {
          name: "X-Workspace-Id",
          description:
            "The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace.",
          schema: { $ref: "#/components/schemas/Id" },
        },
      ],
    },
    workspaceRef(event) {
      const named = event.headers["x-workspace-id"] ?? cookie(event, workspaceCookie);
      return named === undefined ? "first" : { workspaceId: idOf(named) };
    },
    before: ({ actor, membershipRow }) => authorized(actor, membershipRow, required),
  };
}

/** Authorizes the caller in the workspace of the path. Adds `membership`. */
export function namedWorkspace(
  required: Authorization.Required = {},
): Step<SignedIn, { membership: Authorization.Membership }> {
  return {
    contract: {
      codes: { missing: ["workspace_not_found"], ...refusals(required) },
      ...(required.role && { role: required.role }),
    },
    workspaceRef: (event) => ({ workspaceId: idOf(event.pathParameters?.id) }),
    before: ({ actor, membershipRow }) => authorized(actor, membershipRow, required),
  };
}

/** Authorizes the caller in the workspace that the body names. Adds `membershipRow` and `membership`. */
export function workspaceOfInput(): Step<
  SignedIn & { input: { workspaceId: string } },
  { membership: Authorization.Membership }
> {
  return {
    contract: { codes: { missing: ["workspace_not_found"], ...refusals({}) } },
    async before(call) {
      const { actor, input } = call;
      // Added before the authorization, so that a refusal is recorded in the audit log of this workspace.
      call.membershipRow = await Authorization.rowOf(actor, input.workspaceId);
      return authorized(actor, call.membershipRow, {});
    },
  };
}

/** Authorizes the caller in the team of the path. Adds `membership`. */
export function team(
  required: Authorization.Required = {},
): Step<SignedIn, { membership: Team.TeamMembership }> {
  return {
    contract: {
      codes: { missing: ["team_not_found"], ...refusals(required) },
      ...(required.role && { role: required.role }),
    },
    workspaceRef: (event) => ({ teamId: idOf(event.pathParameters?.id) }),
    async before({ event, actor, membershipRow }) {
      const teamId = idOf(event.pathParameters?.id);
      return { membership: await Team.authorizeRow(actor, membershipRow, teamId, required) };
    },
  };
}

async function authorized(
  actor: Actor,
  membershipRow: Authorization.WorkspaceRow | undefined,
  required: Authorization.Required,
) {
  return { membership: await Authorization.authorizeRow(actor, membershipRow, required) };
}

function refusals({ role, plan }: Authorization.Required) {
  return {
    forbidden: [
      ...Authorization.Refusal.options,
      ...(plan ? ["plan_upgrade_required"] : []),
      ...(role ? ["insufficient_role"] : []),
    ],
  };
}
