import * as Team from "@svc/core/workspace/teams/team";
import { api } from "../http/api.ts";
import { team } from "../http/membership.ts";
import { signedIn } from "../http/signed-in.ts";

/** Returns one team. */
export const handler = api({ summary: "Get a team", returns: { 200: Team.View }, versioned: "revalidated" })
  .use(signedIn())
  .use(team())
  .handler(({ membership }) => Team.get(membership));
