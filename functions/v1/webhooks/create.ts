import * as Endpoint from "@svc/core/webhook/endpoint";
import { api } from "../../http/api.ts";
import { input } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { created } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Creates a webhook. It does not support Idempotency-Key: the reply contains the secret and must not be stored. */
export const handler = api({
  summary: "Create a webhook",
  description:
    "The reply is the only place where the secret is shown. Values of `headers` are never returned.",
  returns: { 201: Endpoint.WithSecret },
  codes: { invalid: ["url_not_allowed"], conflict: ["webhook_limit_reached"] },
})
  .use(signedIn())
  .use(workspace({ role: "admin", plan: "ENTERPRISE" }))
  .use(input(Endpoint.Create))
  .handler(
    ({ actor, membership, input }) => Endpoint.create(actor, membership, input),
    (endpoint) => created(endpoint, `/api/v1/webhooks/${endpoint.id}`),
  );
