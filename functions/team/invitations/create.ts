import * as Invitation from "@svc/core/workspace/invitations/invitation";
import { api } from "../../http/api.ts";
import { idempotent } from "../../http/idempotent.ts";
import { input } from "../../http/input.ts";
import { team } from "../../http/membership.ts";
import { created } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Sends an invitation to join a team by email. */
export const handler = api({
  summary: "Invite someone to a team",
  description: "Sends an invitation link by email.",
  returns: { 201: Invitation.View },
  codes: { conflict: ["already_member", "owner_is_fixed"], upstream: ["mail_unavailable"] },
})
  .use(signedIn())
  .use(team({ role: "manager" }))
  .use(input(Invitation.Invite))
  .use(idempotent())
  .handler(
    ({ actor, membership, input }) => Invitation.invite(actor, membership, input),
    (invitation) => created(invitation, `/team/${invitation.teamId}/invitations/${invitation.id}`),
  );
