import { updateTeamMember } from "@svc/core/lifecycle/update-member";
import * as Member from "@svc/core/workspace/members/member";
import { api } from "../../http/api.ts";
import { input, path } from "../../http/input.ts";
import { team } from "../../http/membership.ts";
import { recentlyReauthenticated } from "../../http/recently-reauthenticated.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Changes a member's role or status in the workspace. */
export const handler = api({
  summary: "Change a member’s role or status",
  returns: { 200: Member.View },
  codes: { missing: ["member_not_found"], conflict: ["owner_is_fixed"] },
})
  .use(signedIn())
  .use(team({ role: "admin" }))
  .use(path("userId"))
  .use(input(Member.Update))
  .use(recentlyReauthenticated(({ input }) => input.status === "suspended"))
  .handler(({ actor, membership, userId, input }) => updateTeamMember(actor, membership, userId, input));
