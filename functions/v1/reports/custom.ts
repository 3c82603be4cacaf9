import * as Custom from "@svc/core/report/custom";
import { api } from "../../http/api.ts";
import { query } from "../../http/input.ts";
import { limited } from "../../http/limited.ts";
import { workspace } from "../../http/membership.ts";
import { ok } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** A report of the caller's own making. */
export const handler = api({
  summary: "Custom report",
  description: `Groups up to ${Custom.maxLevels} levels deep (group_by, separated by commas) with the metrics that are asked for, and with columns also the entries of each group, up to ${Custom.shownEntries}; without group_by just the entries. Filters, days and totals as in the summary.`,
  returns: { 200: Custom.View },
  codes: {
    missing: ["user_not_found", "project_not_found", "team_not_found"],
    invalid: ["currency_unsupported", "report_too_large"],
  },
})
  .use(signedIn())
  .use(workspace({ plan: "ENTERPRISE" }))
  .use(limited("reports", ({ actor }) => actor.userId))
  .use(query(Custom.Query))
  .handler(({ actor, membership, query }) => Custom.custom(actor, membership, query), ok);
