import * as Member from "@svc/core/workspace/members/member";
import * as TeamMember from "@svc/core/workspace/members/team-member";
import { api } from "../../http/api.ts";
import { idempotent } from "../../http/idempotent.ts";
import { input } from "../../http/input.ts";
import { team } from "../../http/membership.ts";
import { ok } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Adds a member of the workspace to a team. */
export const handler = api({
  summary: "Add a member to a team",
  description: "The user must already be a member of the workspace. To add someone else, send an invitation.",
  returns: { 200: Member.View },
  codes: { missing: ["member_not_found"] },
})
  .use(signedIn())
  .use(team({ role: "manager" }))
  .use(input(TeamMember.Add))
  .use(idempotent())
  .handler(
    async ({ actor, membership, input }) => {
      await TeamMember.add(actor, membership, input);
      return input.userId;
    },
    async (userId, { membership }) => ok(await TeamMember.get(membership, userId)),
  );
