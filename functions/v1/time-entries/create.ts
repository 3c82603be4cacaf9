import * as TimeEntry from "@svc/core/tracking/time-entries/time-entry";
import { api } from "../../http/api.ts";
import { idempotent } from "../../http/idempotent.ts";
import { input } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { created } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Creates a time entry. */
export const handler = api({
  summary: "Create a time entry",
  description:
    "The entry copies the project’s hourly rate and currency. Without endedAt, it is a running timer. With userId, managers create entries of members with a lower role in their teams, admins those of everyone; these need endedAt.",
  returns: { 201: TimeEntry.View },
  versioned: "never-stored",
  codes: {
    forbidden: ["insufficient_role"],
    missing: ["project_not_found", "member_not_found"],
    conflict: ["project_archived", "timer_already_running", "period_locked"],
    invalid: ["currency_ended"],
  },
})
  .use(signedIn())
  .use(workspace())
  .use(input(TimeEntry.Create))
  .use(idempotent())
  .handler(
    ({ actor, membership, input }) => TimeEntry.create(actor, membership, input),
    async (entry) => created(await TimeEntry.viewOf(entry), `/api/v1/time-entries/${entry.id}`),
  );
