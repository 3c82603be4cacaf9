import * as TimeEntry from "@svc/core/tracking/time-entries/time-entry";
import { api } from "../../http/api.ts";
import { path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { secret } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** One time entry: a member's own, for a manager anybody's. */
export const handler = api({
  summary: "One time entry",
  returns: { 200: TimeEntry.View },
  codes: { missing: ["time_entry_not_found"] },
})
  .use(signedIn())
  .use(workspace())
  .use(path("id"))
  .handler(
    ({ actor, membership, id }) => TimeEntry.get(actor, membership, id),
    async (entry) => secret(await TimeEntry.shownOne(entry)),
  );
