import * as TimeEntry from "@svc/core/tracking/time-entries/time-entry";
import { api } from "../../http/api.ts";
import { ifMatch } from "../../http/if-match.ts";
import { path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { noContent } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Deletes a time entry. */
export const handler = api({
  summary: "Delete a time entry",
  description:
    "Managers can delete entries of members with a lower role in their teams, admins those of everyone.",
  returns: { 204: null },
  codes: {
    forbidden: ["insufficient_role"],
    missing: ["time_entry_not_found"],
    conflict: ["project_archived", "period_locked"],
  },
})
  .use(signedIn())
  .use(workspace())
  .use(path("id"))
  .use(ifMatch())
  .handler(
    ({ actor, membership, id, ifMatch }) => TimeEntry.remove(actor, membership, id, ifMatch),
    noContent,
  );
