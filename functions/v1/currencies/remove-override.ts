import * as Override from "@svc/core/money/override";
import { api } from "../../http/api.ts";
import { path, query } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { noContent } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Back to the published rates of a currency. */
export const handler = api({
  summary: "Remove a currency’s override",
  description: "All of them, or with valid_from the one that begins on that day. Emits currency.changed.",
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
