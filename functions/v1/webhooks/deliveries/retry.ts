import * as Delivery from "@svc/core/webhook/delivery";
import { api } from "../../../http/api.ts";
import { idempotent } from "../../../http/idempotent.ts";
import { path } from "../../../http/input.ts";
import { workspace } from "../../../http/membership.ts";
import { accepted } from "../../../http/reply.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** Sends a delivery again. */
export const handler = api({
  summary: "Retry a delivery",
  returns: { 202: Delivery.View },
  codes: { missing: ["webhook_not_found", "delivery_not_found"], conflict: ["webhook_disabled"] },
})
  .use(signedIn())
  .use(workspace({ role: "admin", plan: "ENTERPRISE" }))
  .use(path("id"))
  .use(path("deliveryId"))
  .use(idempotent())
  .handler(
    ({ actor, membership, id, deliveryId }) => Delivery.retry(actor, membership, id, deliveryId),
    accepted,
  );
