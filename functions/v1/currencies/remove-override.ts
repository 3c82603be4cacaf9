import * as Override from "@svc/core/money/override";
import { api } from "../../http/api.ts";
import { path, query } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { noContent } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Removes the overrides of a currency, so that published rates apply again. */
export const handler = api({
  summary: "Remove the override of a currency",
  description:
    "Removes all overrides of the currency, or only the one that begins on valid_from. Emits currency.changed.",
  returns: { 204: null },
  codes: { missing: ["currency_not_found", "override_not_found"] },
})
  .use(signedIn())
  .use(workspace({ plan: "ENTERPRISE", role: "admin" }))
  .use(path("code"))
  .use(query(Override.Remove))
  .handler(
    ({ actor, membership, code, query }) => Override.remove(actor, membership, code, query),
    noContent,
  );
