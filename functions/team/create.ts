import { maxTeams } from "@svc/core/workspace/limits";
import * as Team from "@svc/core/workspace/teams/team";
import { api } from "../http/api.ts";
import { idempotent } from "../http/idempotent.ts";
import { input } from "../http/input.ts";
import { workspace } from "../http/membership.ts";
import { created } from "../http/reply.ts";
import { signedIn } from "../http/signed-in.ts";

/** Creates a team in the current workspace. */
export const handler = api({
  summary: "Create a team",
  description: `A workspace can have at most ${maxTeams} teams.`,
  returns: { 201: Team.View },
  versioned: "never-stored",
  codes: { conflict: ["limit_reached"] },
})
  .use(signedIn())
  .use(workspace({ role: "manager" }))
  .use(input(Team.Create))
  .use(idempotent())
  .handler(
    ({ actor, membership, input }) => Team.create(actor, membership, input),
    (team) => created(team, `/team/${team.id}`),
  );
