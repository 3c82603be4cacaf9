import * as Listing from "@svc/core/money/listing";
import { api } from "../../http/api.ts";
import { path, query } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Returns the rates of one currency over time. */
export const handler = api({
  summary: "List the rates of a currency",
  description: `from and to are inclusive days; the range may span at most ${Listing.maxDays} days. The default is the last thirty days.`,
  returns: { 200: Listing.History },
  codes: { missing: ["currency_not_found"] },
})
  .use(signedIn())
  .use(workspace({ plan: "ENTERPRISE" }))
  .use(path("code"))
  .use(query(Listing.Span))
  .handler(({ membership, code, query }) => Listing.history(membership, code, query));
