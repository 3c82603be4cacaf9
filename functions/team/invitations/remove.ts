import * as Invitation from "@svc/core/workspace/invitations/invitation";
import { api } from "../../http/api.ts";
import { path } from "../../http/input.ts";
import { team } from "../../http/membership.ts";
import { noContent } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Revokes a pending invitation. */
export const handler = api({
  summary: "Revoke an invitation",
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
