import * as TimeEntry from "@svc/core/tracking/time-entries/time-entry";
import { api } from "../../http/api.ts";
import { path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { ok } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Returns one time entry. Members see their own, managers see everyone's. */
export const handler = api({
  summary: "Get a time entry",
  description: "Members see their own entries, managers see everyone’s.",
  returns: { 200: TimeEntry.View },
  versioned: "never-stored",
  codes: { missing: ["time_entry_not_found"] },
})
  .use(signedIn())
  .use(workspace())
  .use(path("id"))
  .handler(
    ({ actor, membership, id }) => TimeEntry.get(actor, membership, id),
    async (entry) => ok(await TimeEntry.viewOf(entry)),
  );
