import * as Listing from "@svc/core/money/listing";
import { api } from "../../http/api.ts";
import { path, query } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** The rates of one currency over time. */
export const handler = api({
  summary: "Rates of a currency",
  description: `Both days inclusive, at most ${Listing.maxDays} of them; without them the last thirty.`,
  returns: { 200: Listing.History },
  codes: { missing: ["currency_not_found"] },
})
  .use(signedIn())
  .use(workspace({ plan: "ENTERPRISE" }))
  .use(path("code"))
  .use(query(Listing.Span))
  .handler(({ membership, code, query }) => Listing.history(membership, code, query));
