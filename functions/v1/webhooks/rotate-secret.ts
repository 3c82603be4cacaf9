import * as Endpoint from "@svc/core/webhook/endpoint";
import { api } from "../../http/api.ts";
import { path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Replaces a webhook's secret. It does not support Idempotency-Key: the reply contains the secret and must not be stored. */
export const handler = api({
  summary: "Rotate a webhook’s secret",
  description:
    "The reply is the only place where the new secret is shown. For 24 hours, every message is signed with both secrets.",
  returns: { 200: Endpoint.WithSecret },
  codes: { missing: ["webhook_not_found"] },
})
  .use(signedIn())
  .use(workspace({ role: "admin", plan: "ENTERPRISE" }))
  .use(path("id"))
  .handler(({ actor, membership, id }) => Endpoint.rotateSecret(actor, membership, id));
