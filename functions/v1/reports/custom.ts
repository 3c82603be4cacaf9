import * as Custom from "@svc/core/report/custom";
import { api } from "../../http/api.ts";
import { query } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { rateLimited } from "../../http/rate-limited.ts";
import { ok } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Returns a report with the groups, metrics and columns that the caller chooses. */
export const handler = api({
  summary: "Get a custom report",
  description: `Groups up to ${Custom.maxLevels} levels deep (group_by, separated by commas) and returns the requested metrics. With columns, each group also lists its entries, up to ${Custom.shownEntries} in total; without group_by, the report is a plain list of entries. Filters, days and totals work as in the summary.`,
  returns: { 200: Custom.View },
  codes: {
    missing: ["user_not_found", "project_not_found", "team_not_found"],
    invalid: ["currency_unsupported", "report_too_large"],
  },
})
  .use(signedIn())
  .use(workspace({ plan: "ENTERPRISE" }))
  .use(rateLimited("reports", ({ actor }) => actor.userId))
  .use(query(Custom.Query))
  .handler(({ actor, membership, query }) => Custom.custom(actor, membership, query), ok);
