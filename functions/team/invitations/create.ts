import * as Invitation from "@svc/core/workspace/invitations/invitation";
import { api } from "../../http/api.ts";
import { idempotent } from "../../http/idempotent.ts";
import { input } from "../../http/input.ts";
import { team } from "../../http/membership.ts";
import { reportsQuotas } from "../../http/rate-limited.ts";
import { created } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Sends an invitation to join a team by email. */
export const handler = api({
  summary: "Invite someone to a team",
  description:
    "Sends an invitation link by email. A workspace that is younger than seven days or on the FREE plan can send 50 a day.",
  returns: { 201: Invitation.View },
  codes: {
    conflict: ["already_member", "member_suspended", "owner_is_fixed"],
    upstream: ["mail_unavailable"],
  },
})
  .use(signedIn())
  .use(team({ role: "manager" }))
  .use(input(Invitation.Invite))
  .use(idempotent())
  .use(reportsQuotas())
  .handler(
    ({ actor, membership, input, reportQuota }) => Invitation.invite(actor, membership, input, reportQuota),
    (invitation) => created(invitation, `/team/${invitation.teamId}/invitations/${invitation.id}`),
  );
