import * as Listing from "@svc/core/money/listing";
import { api } from "../../http/api.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Lists all currencies with today's rates. */
export const handler = api({
  summary: "List currencies and their rates",
  description:
    "Each rate is the number of units of the currency for one unit of the workspace’s base currency. It comes from the workspace’s override if there is one, else from the European Central Bank, else from tables A and B of the National Bank of Poland. Sources: ECB statistics; Narodowy Bank Polski.",
  returns: { 200: Listing.List },
})
  .use(signedIn())
  .use(workspace({ plan: "ENTERPRISE" }))
  .handler(({ membership }) => Listing.list(membership));
