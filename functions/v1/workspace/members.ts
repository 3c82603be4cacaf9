import * as Member from "@svc/core/workspace/members/member";
import * as z from "zod/mini";
import { api } from "../../http/api.ts";
import { workspace } from "../../http/membership.ts";
import { secret } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Everybody of the current workspace, with their pictures. */
export const handler = api({
  summary: "Members of the current workspace",
  description: `In whichever team or in none, by name, at most ${Member.unpagedMembers}.`,
  returns: { 200: z.object({ data: z.array(Member.View) }) },
})
  .use(signedIn())
  .use(workspace())
  .handler(async ({ membership }) => ({ data: await Member.everybody(membership) }), secret);
