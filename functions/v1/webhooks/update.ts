import * as Endpoint from "@svc/core/webhook/endpoint";
import { api } from "../../http/api.ts";
import { input, path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Change a webhook, or switch it off and on. */
export const handler = api({
  summary: "Change a webhook",
  description: "`enabled` switches it off and on; a header value that is sent back masked stays as it was.",
  returns: { 200: Endpoint.View },
  codes: { missing: ["webhook_not_found"], invalid: ["url_not_allowed"] },
})
  .use(signedIn())
  .use(workspace({ role: "admin", plan: "ENTERPRISE" }))
  .use(path("id"))
  .use(input(Endpoint.Update))
  .handler(({ actor, membership, id, input }) => Endpoint.update(actor, membership, id, input));
