import * as Invitation from "@svc/core/workspace/invitations/invitation";
import { api } from "../../http/api.ts";
import { input } from "../../http/input.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Adds the caller to the team that the invitation link names. */
export const handler = api({
  summary: "Accept a team invitation",
  description: "Takes the token from the link in the invitation email.",
  returns: { 200: Invitation.Accepted },
  codes: { expired: ["link_expired"], forbidden: ["invitation_for_another"] },
})
  .use(signedIn())
  .use(input(Invitation.Accept))
  .handler(({ actor, input }) => Invitation.accept(actor, input));
