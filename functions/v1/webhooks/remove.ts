import * as Endpoint from "@svc/core/webhook/endpoint";
import { api } from "../../http/api.ts";
import { ifMatch } from "../../http/if-match.ts";
import { path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { noContent } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Deletes a webhook. Pending deliveries are not sent. */
export const handler = api({
  summary: "Delete a webhook",
  description: "Pending deliveries are not sent.",
  returns: { 204: null },
  codes: { missing: ["webhook_not_found"] },
})
  .use(signedIn())
  .use(workspace({ role: "admin", plan: "ENTERPRISE" }))
  .use(path("id"))
  .use(ifMatch())
  .handler(
    ({ actor, membership, id, ifMatch }) => Endpoint.remove(actor, membership, id, ifMatch),
    noContent,
  );
