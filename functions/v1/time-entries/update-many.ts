import * as Bulk from "@svc/core/tracking/time-entries/bulk";
import * as TimeEntry from "@svc/core/tracking/time-entries/time-entry";
import * as z from "zod/mini";
import { api } from "../../http/api.ts";
import { input } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { ok } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Makes the same changes to several time entries. */
export const handler = api({
  summary: "Update several time entries",
  description: `Makes the same changes to up to ${Bulk.maxEntries} entries, all or none, by the rules of a single one. When some cannot be changed, the status and code are those of the first of them, and errors has the reason for each at /ids/0, /ids/1 and so on. data has the entries in the order of ids.`,
  returns: { 200: z.object({ data: z.array(TimeEntry.View) }) },
  codes: {
    forbidden: ["insufficient_role"],
    missing: ["time_entry_not_found", "project_not_found"],
    conflict: ["project_archived", "period_locked"],
    invalid: ["currency_ended"],
  },
})
  .use(signedIn())
  .use(workspace())
  .use(input(Bulk.Update))
  .handler(
    ({ actor, membership, input }) => Bulk.update(actor, membership, input),
    async (entries) => ok({ data: await TimeEntry.views(entries) }),
  );
