import * as Catalog from "@svc/core/event/catalog";
import * as z from "zod/mini";
import { api } from "../../http/api.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Lists the event types that a webhook can subscribe to. */
export const handler = api({
  summary: "List webhook event types",
  returns: { 200: z.object({ data: z.array(Catalog.EventType) }) },
})
  .use(signedIn())
  .use(workspace({ role: "admin", plan: "ENTERPRISE" }))
  .handler(async () => ({ data: Catalog.list() }));
