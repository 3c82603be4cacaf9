import * as Settings from "@svc/core/workspace/settings";
import { api } from "../../http/api.ts";
import { ifMatch } from "../../http/if-match.ts";
import { workspace } from "../../http/membership.ts";
import { planGatedInput } from "../../http/plan-gated.ts";
import { recentlyReauthenticated } from "../../http/recently-reauthenticated.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Updates the given settings of the current workspace. */
export const handler = api({
  summary: "Update the current workspace",
  description:
    "A new base currency emits currency.changed. In weekStart, 1 is Monday and 7 is Sunday. membersSeeMoney shows members the hourly rates and budgets of projects; the amounts on their own time entries are always visible. With requireTwoFactor (ENTERPRISE), members without a second factor get 403 two_factor_required; the caller must have one to turn it on, and must have reauthenticated to turn it off. lockedUntil (ENTERPRISE) locks all days until that one: changes of their time entries and overrides are 409 period_locked, also for admins, and so are a new time zone and base currency; null lifts the lock.",
  returns: { 200: Settings.View },
  versioned: "never-stored",
  codes: {
    forbidden: ["plan_upgrade_required"],
    invalid: ["currency_unsupported"],
    conflict: ["period_locked", "timer_running"],
  },
})
  .use(signedIn())
  .use(workspace({ role: "admin" }))
  .use(planGatedInput(Settings.Update, { plan: "ENTERPRISE", uses: Settings.isEnterprise }))
  .use(
    recentlyReauthenticated(
      ({ input, membership }) => input.requireTwoFactor === false && membership.requiresTwoFactor,
    ),
  )
  .use(ifMatch())
  .handler(({ actor, membership, input, ifMatch }) => Settings.update(actor, membership, input, ifMatch));
