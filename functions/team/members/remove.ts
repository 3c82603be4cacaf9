import * as Member from "@svc/core/workspace/members/member";
import { api } from "../../http/api.ts";
import { path } from "../../http/input.ts";
import { team } from "../../http/membership.ts";
import { noContent } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Removes a member from a team. Managers may remove anyone, members only themselves. */
export const handler = api({
  summary: "Remove a member from a team",
  description: "Managers may remove anyone; members may remove only themselves.",
  returns: { 204: null },
  codes: { missing: ["member_not_found"], forbidden: ["insufficient_role"] },
})
  .use(signedIn())
  .use(team())
  .use(path("userId"))
  .handler(({ actor, membership, userId }) => Member.remove(actor, membership, userId), noContent);
