import * as Team from "@svc/core/workspace/teams/team";
import * as z from "zod/mini";
import { api } from "../http/api.ts";
import { workspace } from "../http/membership.ts";
import { signedIn } from "../http/signed-in.ts";

/** Lists the teams of the current workspace. */
export const handler = api({
  summary: "List teams",
  returns: { 200: z.object({ data: z.array(Team.View) }) },
})
  .use(signedIn())
  .use(workspace())
  .handler(async ({ membership }) => ({ data: await Team.list(membership.workspaceId) }));
