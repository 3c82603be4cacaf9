import * as Listing from "@svc/core/money/listing";
import { api } from "../../http/api.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** All currencies with their rates of today. */
export const handler = api({
  summary: "Currencies and their rates",
  description:
    "Units of each currency for one of the workspace’s base currency, by the workspace’s override, else the European Central Bank, else the National Bank of Poland’s tables A and B. Sources: ECB statistics; Narodowy Bank Polski.",
  returns: { 200: Listing.List },
})
  .use(signedIn())
  .use(workspace({ plan: "ENTERPRISE" }))
  .handler(({ membership }) => Listing.list(membership));
