import * as Team from "@svc/core/workspace/teams/team";
import { api } from "../http/api.ts";
import { team } from "../http/membership.ts";
import { noContent } from "../http/reply.ts";
import { signedIn } from "../http/signed-in.ts";

/** Remove a team; its people stay in the workspace. */
export const handler = api({
  summary: "Remove a team",
  returns: { 204: null },
  codes: { conflict: ["last_team"] },
})
  .use(signedIn())
  .use(team({ role: "admin" }))
  .handler(({ actor, membership }) => Team.remove(actor, membership), noContent);
