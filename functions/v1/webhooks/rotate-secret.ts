import * as Endpoint from "@svc/core/webhook/endpoint";
import { api } from "../../http/api.ts";
import { path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { secret } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** A new secret for a webhook. Takes no Idempotency-Key: the answer must not be stored. */
export const handler = api({
  summary: "Rotate a webhook’s secret",
  description:
    "The answer is the only place where the new secret is ever shown. For 24 hours every message is signed with both.",
  returns: { 200: Endpoint.WithSecret },
  codes: { missing: ["webhook_not_found"] },
})
  .use(signedIn())
  .use(workspace({ role: "admin", plan: "ENTERPRISE" }))
  .use(path("id"))
  .handler(({ actor, membership, id }) => Endpoint.rotateSecret(actor, membership, id), secret);
