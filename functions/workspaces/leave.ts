import * as Leaving from "@svc/core/lifecycle/leave-workspace";
import { api } from "../http/api.ts";
import { namedWorkspace } from "../http/membership.ts";
import { noContent } from "../http/reply.ts";
import { signedIn } from "../http/signed-in.ts";

/** Removes the caller from a workspace. */
export const handler = api({
  summary: "Leave a workspace",
  returns: { 204: null },
  codes: { conflict: ["sole_owner"] },
})
  .use(signedIn())
  .use(namedWorkspace())
  .handler(({ actor, membership }) => Leaving.leave(actor, membership), noContent);
