import * as Member from "@svc/core/workspace/members/member";
import { api } from "../../http/api.ts";
import { path } from "../../http/input.ts";
import { team } from "../../http/membership.ts";
import { noContent } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Take somebody out of a team: a manager anybody, a member themselves. */
export const handler = api({
  summary: "Take a member out of a team",
  returns: { 204: null },
  codes: { missing: ["member_not_found"], forbidden: ["insufficient_role"] },
})
  .use(signedIn())
  .use(team())
  .use(path("userId"))
  .handler(({ actor, membership, userId }) => Member.remove(actor, membership, userId), noContent);
