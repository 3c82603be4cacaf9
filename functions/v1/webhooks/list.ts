import * as Endpoint from "@svc/core/webhook/endpoint";
import * as z from "zod/mini";
import { api } from "../../http/api.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Lists the webhooks of the current workspace, at most 20. */
export const handler = api({
  summary: "List webhooks",
  returns: { 200: z.object({ data: z.array(Endpoint.View) }) },
})
  .use(signedIn())
  .use(workspace({ role: "admin", plan: "ENTERPRISE" }))
  .handler(async ({ membership }) => ({ data: await Endpoint.list(membership) }));
