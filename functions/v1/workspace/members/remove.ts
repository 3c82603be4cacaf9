import { removeMember } from "@svc/core/lifecycle/remove-member";
import { api } from "../../../http/api.ts";
import { path } from "../../../http/input.ts";
import { workspace } from "../../../http/membership.ts";
import { recentlyReauthenticated } from "../../../http/recently-reauthenticated.ts";
import { noContent } from "../../../http/reply.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** Removes a member from the current workspace. */
export const handler = api({
  summary: "Remove a member from the workspace",
  description:
    "For members with a role lower than yours. Ends their access to this workspace from the next request on: removes them from all its teams, stops their running timer, withdraws the invitations that they sent or received, and revokes their API tokens for it. Their time entries stay; their sessions and their other workspaces are not affected. They are notified by email.",
  returns: { 204: null },
  codes: { missing: ["member_not_found"], conflict: ["use_leave", "sole_owner"] },
})
  .use(signedIn())
  .use(workspace({ role: "admin" }))
  .use(path("userId"))
  .use(recentlyReauthenticated())
  .handler(({ actor, membership, userId }) => removeMember(actor, membership, userId), noContent);
