import * as Endpoint from "@svc/core/webhook/endpoint";
import { api } from "../../http/api.ts";
import { ifMatch } from "../../http/if-match.ts";
import { input, path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Updates a webhook, or enables or disables it. */
export const handler = api({
  summary: "Update a webhook",
  description:
    "Set `enabled` to false to disable the webhook. In `headers`, a value sets a header and null removes it; headers that are absent or `[masked]` are unchanged. If the origin of `url` changes, stored header values are removed unless the request contains new ones; `droppedHeaders` names them.",
  returns: { 200: Endpoint.Updated },
  versioned: "never-stored",
  codes: { missing: ["webhook_not_found"], invalid: ["url_not_allowed"] },
})
  .use(signedIn())
  .use(workspace({ role: "admin", plan: "ENTERPRISE" }))
  .use(path("id"))
  .use(input(Endpoint.Update))
  .use(ifMatch())
  .handler(({ actor, membership, id, input, ifMatch }) =>
    Endpoint.update(actor, membership, id, input, ifMatch),
  );
