import * as Endpoint from "@svc/core/webhook/endpoint";
import { api } from "../../http/api.ts";
import { path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Returns one webhook. */
export const handler = api({
  summary: "Get a webhook",
  returns: { 200: Endpoint.View },
  versioned: "revalidated",
  codes: { missing: ["webhook_not_found"] },
})
  .use(signedIn())
  .use(workspace({ role: "admin", plan: "ENTERPRISE" }))
  .use(path("id"))
  .handler(({ membership, id }) => Endpoint.get(membership, id));
