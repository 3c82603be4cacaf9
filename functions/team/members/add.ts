import * as Member from "@svc/core/workspace/members/member";
import { api } from "../../http/api.ts";
import { idempotent } from "../../http/idempotent.ts";
import { input } from "../../http/input.ts";
import { team } from "../../http/membership.ts";
import { okNoStore } from "../../http/reply.ts";
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
  .use(input(Member.Add))
  .use(idempotent())
  .handler(
    async ({ actor, membership, input }) => {
      await Member.add(actor, membership, input);
      return input.userId;
    },
    async (userId, { membership }) => okNoStore(await Member.get(membership, userId)),
  );
