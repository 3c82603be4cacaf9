import * as Delivery from "@svc/core/webhook/delivery";
import { api } from "../../../http/api.ts";
import { path } from "../../../http/input.ts";
import { workspace } from "../../../http/membership.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** Returns one delivery with the request and response of each attempt. */
export const handler = api({
  summary: "Get a delivery with its attempts",
  returns: { 200: Delivery.WithAttempts },
  codes: { missing: ["webhook_not_found", "delivery_not_found"] },
})
  .use(signedIn())
  .use(workspace({ role: "admin", plan: "ENTERPRISE" }))
  .use(path("id"))
  .use(path("deliveryId"))
  .handler(({ membership, id, deliveryId }) => Delivery.get(membership, id, deliveryId));
