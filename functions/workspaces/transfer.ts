import * as Leaving from "@svc/core/lifecycle/leave-workspace";
import { View } from "@svc/core/workspace/workspace";
import { api } from "../http/api.ts";
import { input } from "../http/input.ts";
import { namedWorkspace } from "../http/membership.ts";
import { recentlyReauthenticated } from "../http/recently-reauthenticated.ts";
import { signedIn } from "../http/signed-in.ts";

/** Transfers the ownership of a workspace to another member. */
export const handler = api({
  summary: "Transfer a workspace to another member",
  returns: { 200: View },
  codes: { missing: ["member_not_found"], conflict: ["already_owner", "limit_reached"] },
})
  .use(signedIn())
  .use(namedWorkspace({ role: "owner" }))
  .use(recentlyReauthenticated())
  .use(input(Leaving.Transfer))
  .handler(({ actor, membership, input }) => Leaving.transfer(actor, membership, input));
