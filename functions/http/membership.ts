import type { Actor } from "@svc/core/base/actor";
import * as Authorization from "@svc/core/workspace/authorization";
import * as Team from "@svc/core/workspace/teams/team";
import type { Call, Step } from "./api.ts";
import { cookie, workspaceCookie } from "./cookies.ts";
import { idOf } from "./input.ts";

type SignedIn = Call & { actor: Actor };

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
        },
      ],
    },
    async before({ event, actor }) {
      const named = event.headers["x-workspace-id"] ?? cookie(event, workspaceCookie);
      return {
        membership: await Authorization.authorize(
          actor,
          named === undefined ? undefined : idOf(named),
          required,
        ),
      };
    },
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
    async before({ event, actor }) {
      return { membership: await Authorization.authorize(actor, idOf(event.pathParameters?.id), required) };
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
    async before({ event, actor }) {
      return { membership: await Team.authorize(actor, idOf(event.pathParameters?.id), required) };
    },
  };
}

function refusals({ role, plan }: Authorization.Required) {
  return {
    forbidden: [
      "ip_not_allowed",
      ...(plan ? ["plan_upgrade_required"] : []),
      ...(role ? ["insufficient_role"] : []),
    ],
  };
}
