import * as Team from "@svc/core/team/team";
import { api } from "../http/api.ts";
import { input } from "../http/input.ts";
import { team } from "../http/membership.ts";
import { signedIn } from "../http/signed-in.ts";

/** Rename a team. */
export const handler = api({ summary: "Rename a team", returns: { 200: Team.View } })
  .use(signedIn())
  .use(team({ role: "manager" }))
  .use(input(Team.Update))
  .handler(({ actor, seat, input }) => Team.update(actor, seat, input));
