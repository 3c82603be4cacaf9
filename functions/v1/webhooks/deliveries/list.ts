import { CursorMeta, CursorQuery } from "@svc/core/cursor";
import * as Delivery from "@svc/core/webhook/delivery";
import * as z from "zod/mini";
import { api } from "../../../http/api.ts";
import { path, query } from "../../../http/input.ts";
import { workspace } from "../../../http/membership.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** The log of a webhook, newest first. */
export const handler = api({
  summary: "Deliveries of a webhook",
  returns: { 200: z.object({ data: z.array(Delivery.View), meta: CursorMeta }) },
  codes: { missing: ["webhook_not_found"] },
})
  .use(signedIn())
  .use(workspace({ role: "admin", plan: "ENTERPRISE" }))
  .use(path("id"))
  .use(query(CursorQuery))
  .handler(({ seat, id, query }) => Delivery.list(seat, id, query));
