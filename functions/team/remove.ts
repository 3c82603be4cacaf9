import * as Team from "@svc/core/workspace/teams/team";
import { api } from "../http/api.ts";
import { ifMatch } from "../http/if-match.ts";
import { team } from "../http/membership.ts";
import { noContent } from "../http/reply.ts";
import { signedIn } from "../http/signed-in.ts";

/** Deletes a team. Its members stay in the workspace. */
export const handler = api({
  summary: "Delete a team",
  description: "Its members stay in the workspace.",
  returns: { 204: null },
  codes: { conflict: ["last_team"] },
})
  .use(signedIn())
  .use(team({ role: "admin" }))
  .use(ifMatch())
  .handler(({ actor, membership, ifMatch }) => Team.remove(actor, membership, ifMatch), noContent);
