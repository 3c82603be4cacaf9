import { FeedMeta } from "@svc/core/base/feed";
import { PageMeta } from "@svc/core/base/page";
import * as TimeEntries from "@svc/core/tracking/time-entries/list";
import * as TimeEntry from "@svc/core/tracking/time-entries/time-entry";
import * as z from "zod/mini";
import { api, type Call, type Chain, type Handler } from "../../http/api.ts";
import type { Described } from "../../http/contract.ts";
import { query } from "../../http/input.ts";
import { listed, listOf } from "../../http/listed.ts";
import { workspace } from "../../http/membership.ts";
import { planned } from "../../http/planned.ts";
import { signedIn } from "../../http/signed-in.ts";

export const described: Described = {
  summary: "Time entries",
  description: `A member’s own, for a manager everybody’s; newest first. from and to are days in the workspace’s time zone, both inclusive, and an entry belongs to the day on which it starts. Read on with cursor and limit, which is stable while rows are inserted, or take page and per_page for the first ${TimeEntries.pagedRows} rows.`,
  returns: { 200: listOf(TimeEntry.View, z.union([FeedMeta, PageMeta])) },
  codes: {
    missing: ["user_not_found", "project_not_found", "team_not_found"],
    invalid: ["currency_unsupported", "page_too_deep"],
  },
};

/** The list, under whatever address. */
export function listing(chain: Chain<Call>): Handler {
  return chain
    .use(signedIn())
    .use(workspace())
    .use(planned("ENTERPRISE", ["currency", "convert_to"]))
    .use(query(TimeEntries.ListQuery))
    .handler(({ actor, membership, query }) => TimeEntries.list(actor, membership, query), listed);
}

/** Time entries. */
export const handler = listing(api(described));
