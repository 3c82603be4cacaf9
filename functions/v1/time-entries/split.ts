import * as TimeEntry from "@svc/core/tracking/time-entries/time-entry";
import * as z from "zod/mini";
import { api } from "../../http/api.ts";
import { idempotent } from "../../http/idempotent.ts";
import { input, path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { created } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Splits a time entry in two. */
export const handler = api({
  summary: "Split a time entry",
  description:
    "The entry keeps its id and ends at the given time. A new entry with the same details and hourly rate has the rest, and a running timer goes on in it. data has both, the new one second. Durations and amounts add up to those of the entry: the first amount is rounded, the second is the rest.",
  returns: { 201: z.object({ data: z.array(TimeEntry.View) }) },
  codes: {
    forbidden: ["insufficient_role"],
    missing: ["time_entry_not_found"],
    conflict: ["project_archived", "period_locked"],
    invalid: ["currency_ended"],
  },
})
  .use(signedIn())
  .use(workspace())
  .use(path("id"))
  .use(input(TimeEntry.Split))
  .use(idempotent())
  .handler(
    ({ actor, membership, id, input }) => TimeEntry.split(actor, membership, id, input),
    async (entries) =>
      created({ data: await TimeEntry.views(entries) }, `/api/v1/time-entries/${entries[1].id}`),
  );
