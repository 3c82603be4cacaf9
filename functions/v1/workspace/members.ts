import * as Member from "@svc/core/workspace/members/member";
import * as z from "zod/mini";
import { api } from "../../http/api.ts";
import { workspace } from "../../http/membership.ts";
import { okNoStore } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Lists the members of the current workspace with their avatars. */
export const handler = api({
  summary: "List the members of the current workspace",
  description: `Sorted by name, at most ${Member.maxUnpaged}. Includes members who are in no team.`,
  returns: { 200: z.object({ data: z.array(Member.View) }) },
})
  .use(signedIn())
  .use(workspace())
  .handler(async ({ membership }) => ({ data: await Member.listWorkspace(membership) }), okNoStore);
