import * as Invitation from "@svc/core/workspace/invitations/invitation";
import { api } from "../../http/api.ts";
import { path } from "../../http/input.ts";
import { team } from "../../http/membership.ts";
import { noContent } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Take an invitation back. */
export const handler = api({
  summary: "Take an invitation back",
  returns: { 204: null },
  codes: { missing: ["invitation_not_found"] },
})
  .use(signedIn())
  .use(team({ role: "manager" }))
  .use(path("invitationId"))
  .handler(
    ({ actor, membership, invitationId }) => Invitation.revoke(actor, membership, invitationId),
    noContent,
  );
