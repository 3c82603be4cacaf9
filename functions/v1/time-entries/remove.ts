import * as TimeEntry from "@svc/core/tracking/time-entries/time-entry";
import { api } from "../../http/api.ts";
import { path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { noContent } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Remove the caller's own time entry. */
export const handler = api({
  summary: "Remove a time entry",
  returns: { 204: null },
  codes: {
    forbidden: ["not_your_entry"],
    missing: ["time_entry_not_found"],
    conflict: ["project_archived"],
  },
})
  .use(signedIn())
  .use(workspace())
  .use(path("id"))
  .handler(({ actor, membership, id }) => TimeEntry.remove(actor, membership, id), noContent);
