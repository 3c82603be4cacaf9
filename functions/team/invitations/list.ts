import * as Invitation from "@svc/core/workspace/invitations/invitation";
import * as z from "zod/mini";
import { api } from "../../http/api.ts";
import { team } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Lists the pending invitations of a team. */
export const handler = api({
  summary: "List the pending invitations of a team",
  returns: { 200: z.object({ data: z.array(Invitation.View) }) },
})
  .use(signedIn())
  .use(team({ role: "manager" }))
  .handler(async ({ membership }) => ({ data: await Invitation.list(membership) }));
