import * as Catalog from "@svc/core/event/catalog";
import * as z from "zod/mini";
import { api } from "../../http/api.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** The types of events that a webhook can ask for. */
export const handler = api({
  summary: "Events for webhooks",
  returns: { 200: z.object({ data: z.array(Catalog.EventType) }) },
})
  .use(signedIn())
  .use(workspace({ role: "admin", plan: "ENTERPRISE" }))
  .handler(async () => ({ data: Catalog.list() }));
