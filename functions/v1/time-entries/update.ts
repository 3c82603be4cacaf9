import * as TimeEntry from "@svc/core/tracking/time-entries/time-entry";
import { api } from "../../http/api.ts";
import { input, path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { okNoStore } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Updates one of the caller's own time entries. */
export const handler = api({
  summary: "Update a time entry",
  description: "The entry keeps its hourly rate unless it moves to another project.",
  returns: { 200: TimeEntry.View },
  codes: {
    forbidden: ["not_your_entry"],
    missing: ["time_entry_not_found", "project_not_found"],
    conflict: ["project_archived"],
  },
})
  .use(signedIn())
  .use(workspace())
  .use(path("id"))
  .use(input(TimeEntry.Update))
  .handler(
    ({ actor, membership, id, input }) => TimeEntry.update(actor, membership, id, input),
    async (entry) => okNoStore(await TimeEntry.viewOf(entry)),
  );
