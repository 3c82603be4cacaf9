import * as Delivery from "@svc/core/webhook/delivery";
import * as z from "zod/mini";
import { api } from "../../http/api.ts";
import { idempotent } from "../../http/idempotent.ts";
import { input, path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { accepted } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Send whatever never arrived. */
export const handler = api({
  summary: "Recover a webhook",
  description:
    "Sends every event since then that never reached the webhook: deliveries that failed, and what happened while it was disabled.",
  returns: { 202: z.object({ recovered: z.int() }) },
  codes: { missing: ["webhook_not_found"], conflict: ["webhook_disabled"] },
})
  .use(signedIn())
  .use(workspace({ role: "admin", plan: "ENTERPRISE" }))
  .use(path("id"))
  .use(input(Delivery.Recover))
  .use(idempotent())
  .handler(({ actor, membership, id, input }) => Delivery.recover(actor, membership, id, input), accepted);
