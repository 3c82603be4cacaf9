import * as Period from "@svc/core/report/period";
import * as Summary from "@svc/core/report/summary";
import { api } from "../../http/api.ts";
import { workspace } from "../../http/membership.ts";
import { planGatedQuery } from "../../http/plan-gated.ts";
import { rateLimited } from "../../http/rate-limited.ts";
import { ok } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Returns time and money by group. */
export const handler = api({
  summary: "Get a summary report",
  description: `Covers a member’s own time, or everyone’s for a manager. from and to are inclusive days; the default is the last ${Period.defaultDays} days. Days are those of the workspace’s time zone, or of timezone, which amounts do not depend on: they are converted at the rates of the workspace’s days. Filters and totals match those of the time entries exactly. Amounts are totals per currency. An entry with several tags, or of a user in several teams, counts in each of their groups and once in totals. rounding, such as up:15, rounds the duration of each entry to that many minutes.`,
  returns: { 200: Summary.View },
  codes: {
    missing: ["user_not_found", "project_not_found", "team_not_found"],
    invalid: ["currency_unsupported", "report_too_large"],
  },
})
  .use(signedIn())
  .use(workspace())
  .use(rateLimited("reports", ({ actor }) => actor.userId))
  .use(
    planGatedQuery(Summary.Query, {
      plan: "ENTERPRISE",
      uses: ({ currency, convert_to, include_charts = "false" }) =>
        currency !== undefined || convert_to !== undefined || include_charts !== "false",
    }),
  )
  .handler(({ actor, membership, query }) => Summary.summary(actor, membership, query), ok);
