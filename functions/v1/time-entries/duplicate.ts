import * as TimeEntry from "@svc/core/tracking/time-entries/time-entry";
import { api } from "../../http/api.ts";
import { idempotent } from "../../http/idempotent.ts";
import { path } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { created } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Creates a copy of a time entry. */
export const handler = api({
  summary: "Duplicate a time entry",
  description:
    "The copy has the same user, times, project, description, tags and billable state, and the project’s current hourly rate. A running timer cannot be duplicated.",
  returns: { 201: TimeEntry.View },
  versioned: "never-stored",
  codes: {
    forbidden: ["insufficient_role"],
    missing: ["time_entry_not_found", "member_not_found"],
    conflict: ["project_archived", "timer_already_running", "period_locked"],
    invalid: ["currency_ended"],
  },
})
  .use(signedIn())
  .use(workspace())
  .use(path("id"))
  .use(idempotent())
  .handler(
    ({ actor, membership, id }) => TimeEntry.duplicate(actor, membership, id),
    async (entry) => created(await TimeEntry.viewOf(entry), `/api/v1/time-entries/${entry.id}`),
  );
