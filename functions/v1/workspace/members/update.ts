import { updateMember } from "@svc/core/lifecycle/update-member";
import * as Member from "@svc/core/workspace/members/member";
import { api } from "../../../http/api.ts";
import { input, path } from "../../../http/input.ts";
import { workspace } from "../../../http/membership.ts";
import { recentlyReauthenticated } from "../../../http/recently-reauthenticated.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** Changes the role or status of a member of the current workspace. */
export const handler = api({
  summary: "Change the role or status of a member of the workspace",
  description:
    "For members with a role lower than yours, whether or not they are in a team. A suspended member has no access to this workspace from the next request on; their running timer is stopped, and their sessions and other workspaces are not affected. Invitations that the member may no longer send or accept are withdrawn.",
  returns: { 200: Member.View },
  codes: { missing: ["member_not_found"], conflict: ["use_leave", "sole_owner", "owner_is_fixed"] },
})
  .use(signedIn())
  .use(workspace({ role: "admin" }))
  .use(path("userId"))
  .use(input(Member.Update))
  .use(recentlyReauthenticated(({ input }) => input.status === "suspended"))
  .handler(({ actor, membership, userId, input }) => updateMember(actor, membership, userId, input));
