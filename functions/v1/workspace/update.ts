import * as Settings from "@svc/core/workspace/settings";
import { api } from "../../http/api.ts";
import { input } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Updates the current workspace's name, base currency, time zone or first day of the week. */
export const handler = api({
  summary: "Update the current workspace",
  description: "A new base currency emits currency.changed. In weekStart, 1 is Monday and 7 is Sunday.",
  returns: { 200: Settings.View },
  codes: { invalid: ["currency_unsupported"] },
})
  .use(signedIn())
  .use(workspace({ role: "admin" }))
  .use(input(Settings.Update))
  .handler(({ actor, membership, input }) => Settings.update(actor, membership, input));
