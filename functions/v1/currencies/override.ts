import * as Override from "@svc/core/money/override";
import { api } from "../../http/api.ts";
import { input, path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Give a currency a rate of the workspace's own. */
export const handler = api({
  summary: "Override a currency’s rate",
  description:
    "Units of the currency for one of the base currency, from validFrom (by default today) to validTo (by default for good). One that begins on the same day is replaced. Emits currency.changed.",
  returns: { 200: Override.View },
  codes: { missing: ["currency_not_found"], conflict: ["currency_is_base"] },
})
  .use(signedIn())
  .use(workspace({ plan: "ENTERPRISE", role: "admin" }))
  .use(path("code"))
  .use(input(Override.Put))
  .handler(({ actor, membership, code, input }) => Override.put(actor, membership, code, input));
