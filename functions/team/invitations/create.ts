import * as Invitation from "@svc/core/workspace/invitations/invitation";
import { api } from "../../http/api.ts";
import { idempotent } from "../../http/idempotent.ts";
import { input } from "../../http/input.ts";
import { team } from "../../http/membership.ts";
import { created } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Ask somebody by mail to join the team. */
export const handler = api({
  summary: "Invite somebody to a team",
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
