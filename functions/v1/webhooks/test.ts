import * as Delivery from "@svc/core/webhook/delivery";
import { api } from "../../http/api.ts";
import { idempotent } from "../../http/idempotent.ts";
import { input, path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { rateLimited } from "../../http/rate-limited.ts";
import { accepted } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Sends a test event to a webhook. */
export const handler = api({
  summary: "Send a test event",
  description: 'The event carries `"test":true`. Get its delivery to see the result.',
  returns: { 202: Delivery.View },
  codes: { missing: ["webhook_not_found"], conflict: ["webhook_disabled"] },
})
  .use(signedIn())
  .use(workspace({ role: "admin", plan: "ENTERPRISE" }))
  .use(path("id"))
  .use(input(Delivery.Test))
  .use(rateLimited("testEvents", ({ membership }) => membership.workspaceId))
  .use(idempotent())
  .handler(({ actor, membership, id, input }) => Delivery.sendTest(actor, membership, id, input), accepted);
