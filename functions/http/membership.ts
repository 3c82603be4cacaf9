import type { Actor } from "@svc/core/account/actor";
import * as Team from "@svc/core/team/team";
import * as Workspace from "@svc/core/workspace/workspace";
import type { Call, Step } from "./api.ts";
import { cookie, workspaceCookie } from "./cookies.ts";
import { idOf } from "./input.ts";

type Known = Call & { actor: Actor };

/** The workspace of the call: header, else cookie, else the caller's first. Adds `seat`. */
export function workspace(required: Workspace.Required = {}): Step<Known, { seat: Workspace.Seat }> {
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
      return { seat: await Workspace.admit(actor, named === undefined ? undefined : idOf(named), required) };
    },
  };
}

/** The workspace that the path names, if the caller is in it. Adds `seat`. */
export function namedWorkspace(required: Workspace.Required = {}): Step<Known, { seat: Workspace.Seat }> {
  return {
    contract: {
      codes: { missing: ["workspace_not_found"], ...refusals(required) },
      ...(required.role && { role: required.role }),
    },
    async before({ event, actor }) {
      return { seat: await Workspace.admit(actor, idOf(event.pathParameters?.id), required) };
    },
  };
}

/** The team that the path names, if it is in a workspace of the caller. Adds `seat`. */
export function team(required: Workspace.Required = {}): Step<Known, { seat: Team.TeamSeat }> {
  return {
    contract: {
      codes: { missing: ["team_not_found"], ...refusals(required) },
      ...(required.role && { role: required.role }),
    },
    async before({ event, actor }) {
      return { seat: await Team.admit(actor, idOf(event.pathParameters?.id), required) };
    },
  };
}

function refusals({ role, plan }: Workspace.Required) {
  return {
    forbidden: [
      "ip_not_allowed",
      ...(plan ? ["plan_upgrade_required"] : []),
      ...(role ? ["insufficient_role"] : []),
    ],
  };
}
