import * as Override from "@svc/core/money/override";
import { api } from "../../http/api.ts";
import { ifMatch } from "../../http/if-match.ts";
import { input, path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Overrides the rate of a currency in the current workspace. */
export const handler = api({
  summary: "Override the rate of a currency",
  description:
    "The rate is the number of units of the currency for one unit of the base currency. It applies from validFrom (default: today) to validTo (default: no end). Replaces an override that begins on the same day. Emits currency.changed.",
  returns: { 200: Override.Stored },
  versioned: "never-stored",
  codes: { missing: ["currency_not_found"], conflict: ["currency_is_base", "period_locked"] },
})
  .use(signedIn())
  .use(workspace({ plan: "ENTERPRISE", role: "admin" }))
  .use(path("code"))
  .use(input(Override.Put))
  .use(ifMatch())
  .handler(({ actor, membership, code, input, ifMatch }) =>
    Override.put(actor, membership, code, input, ifMatch),
  );
