import * as TimeEntry from "@svc/core/tracking/time-entries/time-entry";
import { api } from "../../http/api.ts";
import { ifMatch } from "../../http/if-match.ts";
import { input, path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { ok } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Updates a time entry. */
export const handler = api({
  summary: "Update a time entry",
  description:
    "The entry keeps its hourly rate unless it moves to another project. Managers can change entries of members with a lower role in their teams, admins those of everyone.",
  returns: { 200: TimeEntry.View },
  versioned: "never-stored",
  codes: {
    forbidden: ["insufficient_role"],
    missing: ["time_entry_not_found", "project_not_found"],
    conflict: ["project_archived", "period_locked"],
    invalid: ["currency_ended"],
  },
})
  .use(signedIn())
  .use(workspace())
  .use(path("id"))
  .use(input(TimeEntry.Update))
  .use(ifMatch())
  .handler(
    ({ actor, membership, id, input, ifMatch }) => TimeEntry.update(actor, membership, id, input, ifMatch),
    async (entry) => ok(await TimeEntry.viewOf(entry)),
  );
