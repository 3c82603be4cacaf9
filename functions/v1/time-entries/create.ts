import * as TimeEntry from "@svc/core/tracking/time-entries/time-entry";
import { api } from "../../http/api.ts";
import { idempotent } from "../../http/idempotent.ts";
import { input } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { createdNoStore } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Creates a time entry for the caller. */
export const handler = api({
  summary: "Create a time entry",
  description:
    "The entry copies the project’s hourly rate and currency. Without endedAt, it is a running timer.",
  returns: { 201: TimeEntry.View },
  codes: { missing: ["project_not_found"], conflict: ["project_archived", "timer_already_running"] },
})
  .use(signedIn())
  .use(workspace())
  .use(input(TimeEntry.Create))
  .use(idempotent())
  .handler(
    ({ actor, membership, input }) => TimeEntry.create(actor, membership, input),
    async (entry) => createdNoStore(await TimeEntry.viewOf(entry), `/api/v1/time-entries/${entry.id}`),
  );
