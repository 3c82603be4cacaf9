import * as Budget from "@svc/core/tracking/budgets/budget";
import { horizonDays, paceDays } from "@svc/core/tracking/budgets/forecast";
import { api } from "../../http/api.ts";
import { path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** What is spent of a project's budget, and where its pace leads. */
export const handler = api({
  summary: "Budget of a project",
  description: `The forecast takes the pace of the last ${paceDays} days on to the end of the month, or ${horizonDays} days ahead for a budget without periods. Hours count all time, money the billable amounts in the budget’s currency; timers count until now.`,
  returns: { 200: Budget.View },
  codes: { missing: ["project_not_found", "budget_not_found"] },
})
  .use(signedIn())
  .use(workspace())
  .use(path("id"))
  .handler(({ membership, id }) => Budget.get(membership, id));
