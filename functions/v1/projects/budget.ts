import * as Budget from "@svc/core/tracking/budgets/budget";
import { horizonDays, paceDays } from "@svc/core/tracking/budgets/forecast";
import { api } from "../../http/api.ts";
import { path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Returns how much of a project's budget is spent and where the current pace leads. */
export const handler = api({
  summary: "Get the budget of a project",
  description: `The forecast extends the pace of the last ${paceDays} days to the end of the month, or ${horizonDays} days ahead for a budget without periods. An hours budget counts all time; a money budget counts the billable amounts in its currency. Running timers count until now. Members need a workspace with membersSeeMoney.`,
  returns: { 200: Budget.View },
  codes: { forbidden: ["money_hidden"], missing: ["project_not_found", "budget_not_found"] },
})
  .use(signedIn())
  .use(workspace())
  .use(path("id"))
  .handler(({ membership, id }) => Budget.get(membership, id));
