import * as TimeEntry from "@svc/core/tracking/time-entries/time-entry";
import { api } from "../../http/api.ts";
import { path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { noContent } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Deletes one of the caller's own time entries. */
export const handler = api({
  summary: "Delete a time entry",
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
