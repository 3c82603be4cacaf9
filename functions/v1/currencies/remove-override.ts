import * as Override from "@svc/core/money/override";
import { api } from "../../http/api.ts";
import { ifMatch } from "../../http/if-match.ts";
import { path, query } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { noContent } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Removes the overrides of a currency, so that published rates apply again. */
export const handler = api({
  summary: "Remove the override of a currency",
  description:
    "Removes the override that begins on valid_from, or all of the currency with all=true. Emits currency.changed.",
  returns: { 204: null },
  codes: {
    missing: ["currency_not_found", "override_not_found"],
    conflict: ["period_locked"],
  },
})
  .use(signedIn())
  .use(workspace({ plan: "ENTERPRISE", role: "admin" }))
  .use(path("code"))
  .use(query(Override.Remove))
  .use(ifMatch())
  .handler(
    ({ actor, membership, code, query, ifMatch }) => Override.remove(actor, membership, code, query, ifMatch),
    noContent,
  );
