import * as TeamMember from "@svc/core/workspace/members/team-member";
import { api } from "../../http/api.ts";
import { path } from "../../http/input.ts";
import { team } from "../../http/membership.ts";
import { noContent } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Removes a member from a team. */
export const handler = api({
  summary: "Remove a member from a team",
  description:
    "Managers may remove everyone whose role is not higher than theirs; members may remove only themselves. The user stays a member of the workspace.",
  returns: { 204: null },
  codes: { missing: ["member_not_found"], forbidden: ["insufficient_role"] },
})
  .use(signedIn())
  .use(team())
  .use(path("userId"))
  .handler(({ actor, membership, userId }) => TeamMember.remove(actor, membership, userId), noContent);
