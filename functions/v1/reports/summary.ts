import * as Period from "@svc/core/report/period";
import * as Summary from "@svc/core/report/summary";
import { api } from "../../http/api.ts";
import { query } from "../../http/input.ts";
import { limited } from "../../http/limited.ts";
import { workspace } from "../../http/membership.ts";
import { planned } from "../../http/planned.ts";
import { ok } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Time and money by group. */
export const handler = api({
  summary: "Report summary",
  description: `A member’s own time, for a manager everybody’s, of the days from and to (both inclusive, in the workspace’s time zone; by default the last ${Period.defaultDays}). The same filters as for time entries, and the same totals to the second and the minor unit. Amounts are totals per currency. An entry with several tags, or of somebody in several teams, counts in each of their groups and once in totals. rounding, such as up:15, rounds the duration of each entry to whole steps of minutes.`,
  returns: { 200: Summary.View },
  codes: {
    missing: ["user_not_found", "project_not_found", "team_not_found"],
    invalid: ["currency_unsupported", "report_too_large"],
  },
})
  .use(signedIn())
  .use(workspace())
  .use(planned("ENTERPRISE", ["currency", "convert_to"], ["include_charts"]))
  .use(limited("reports", ({ actor }) => actor.userId))
  .use(query(Summary.Query))
  .handler(({ actor, membership, query }) => Summary.summary(actor, membership, query), ok);
