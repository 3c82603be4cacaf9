import type { Actor } from "@svc/core/base/actor";
import * as Authorization from "@svc/core/workspace/authorization";
import * as Team from "@svc/core/workspace/teams/team";
import type { Call, Step } from "./api.ts";
import { cookie, workspaceCookie } from "./cookies.ts";
import { idOf } from "./input.ts";

type Known = Call & { actor: Actor };

/** The workspace of the call: header, else cookie, else the caller's first. Adds `membership`. */
export function workspace(
  required: Authorization.Required = {},
): Step<Known, { membership: Authorization.Membership }> {
  return {
    contract: {
      codes: { missing: ["workspace_not_found"], ...refusals(required) },
      ...(required.role && { role: required.role }),
      headers: [
        {
          name: "X-Workspace-Id",
          description: "The workspace; without it the cookie’s, else the caller’s first.",
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

/** The workspace that the path names, if the caller is in it. Adds `membership`. */
export function namedWorkspace(
  required: Authorization.Required = {},
): Step<Known, { membership: Authorization.Membership }> {
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

/** The team that the path names, if it is in a workspace of the caller. Adds `membership`. */
export function team(
  required: Authorization.Required = {},
): Step<Known, { membership: Team.TeamMembership }> {
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
