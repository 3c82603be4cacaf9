import { FeedMeta, FeedQuery } from "@svc/core/base/feed";
import * as Delivery from "@svc/core/webhook/delivery";
import { api } from "../../../http/api.ts";
import { path, query } from "../../../http/input.ts";
import { listOf, listReply } from "../../../http/list-reply.ts";
import { workspace } from "../../../http/membership.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** Lists the deliveries of a webhook, newest first. */
export const handler = api({
  summary: "List the deliveries of a webhook",
  returns: { 200: listOf(Delivery.View, FeedMeta) },
  codes: { missing: ["webhook_not_found"] },
})
  .use(signedIn())
  .use(workspace({ role: "admin", plan: "ENTERPRISE" }))
  .use(path("id"))
  .use(query(FeedQuery))
  .handler(({ membership, id, query }) => Delivery.list(membership, id, query), listReply);
