import * as Team from "@svc/core/workspace/teams/team";
import { api } from "../http/api.ts";
import { ifMatch } from "../http/if-match.ts";
import { input } from "../http/input.ts";
import { team } from "../http/membership.ts";
import { signedIn } from "../http/signed-in.ts";

/** Renames a team. */
export const handler = api({
  summary: "Rename a team",
  returns: { 200: Team.View },
  versioned: "never-stored",
})
  .use(signedIn())
  .use(team({ role: "manager" }))
  .use(input(Team.Update))
  .use(ifMatch())
  .handler(({ actor, membership, input, ifMatch }) => Team.update(actor, membership, input, ifMatch));
