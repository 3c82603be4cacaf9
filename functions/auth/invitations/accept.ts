import * as Invitation from "@svc/core/workspace/invitations/invitation";
import { api } from "../../http/api.ts";
import { input } from "../../http/input.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Join a team with the link from the mail. */
export const handler = api({
  summary: "Join a team with the link from the mail",
  returns: { 200: Invitation.Accepted },
  codes: { expired: ["link_expired"], forbidden: ["invitation_for_another"] },
})
  .use(signedIn())
  .use(input(Invitation.Accept))
  .handler(({ actor, input }) => Invitation.accept(actor, input));
