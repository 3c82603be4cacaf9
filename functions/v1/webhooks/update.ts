import * as Endpoint from "@svc/core/webhook/endpoint";
import { api } from "../../http/api.ts";
import { input, path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Updates a webhook, or enables or disables it. */
export const handler = api({
  summary: "Update a webhook",
  description:
    "Set `enabled` to false to disable the webhook. A header value sent back masked keeps its previous value.",
  returns: { 200: Endpoint.View },
  codes: { missing: ["webhook_not_found"], invalid: ["url_not_allowed"] },
})
  .use(signedIn())
  .use(workspace({ role: "admin", plan: "ENTERPRISE" }))
  .use(path("id"))
  .use(input(Endpoint.Update))
  .handler(({ actor, membership, id, input }) => Endpoint.update(actor, membership, id, input));
