import * as TimeEntries from "@svc/core/tracking/time-entries/list";
import * as TimeEntry from "@svc/core/tracking/time-entries/time-entry";
import { api, type Call, type Chain, type Handler } from "../../http/api.ts";
import type { Described } from "../../http/contract.ts";
import { listOf, listReply } from "../../http/list-reply.ts";
import { workspace } from "../../http/membership.ts";
import { planGatedQuery } from "../../http/plan-gated.ts";
import { signedIn } from "../../http/signed-in.ts";

export const contract: Described = {
  summary: "List time entries",
  description: `Members see their own entries, managers see everyone’s; newest first by default. from and to are inclusive days in the workspace’s time zone, or in timezone. An entry belongs to the day on which it starts. To read further, use cursor and limit, which stay stable while entries are added, or page and per_page for the first ${TimeEntries.pagedRows} entries.`,
  returns: { 200: listOf(TimeEntry.View, TimeEntries.Meta) },
  codes: {
    missing: ["user_not_found", "project_not_found", "team_not_found"],
    invalid: ["currency_unsupported", "page_too_deep"],
  },
};

/** Builds the handler. The deprecated path GET /api/v1/entries uses it too. */
export function listHandler(chain: Chain<Call>): Handler {
  return chain
    .use(signedIn())
    .use(workspace())
    .use(
      planGatedQuery(TimeEntries.ListQuery, {
        plan: "ENTERPRISE",
        uses: ({ currency, convert_to }) => currency !== undefined || convert_to !== undefined,
      }),
    )
    .handler(({ actor, membership, query }) => TimeEntries.list(actor, membership, query), listReply);
}

/** Lists time entries. */
export const handler = listHandler(api(contract));
