import * as TimeEntry from "@svc/core/tracking/time-entries/time-entry";
import * as Timer from "@svc/core/tracking/time-entries/timer";
import { api } from "../../http/api.ts";
import { idempotent } from "../../http/idempotent.ts";
import { input } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { created } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Starts a timer for the caller. Only one timer runs at a time in a workspace. */
export const handler = api({
  summary: "Start a timer",
  returns: { 201: TimeEntry.View },
  versioned: "never-stored",
  codes: {
    missing: ["project_not_found"],
    conflict: ["project_archived", "timer_already_running"],
    invalid: ["currency_ended"],
  },
})
  .use(signedIn())
  .use(workspace())
  .use(input(TimeEntry.Details))
  .use(idempotent())
  .handler(
    ({ actor, membership, input }) => Timer.start(actor, membership, input),
    async (entry) => created(await TimeEntry.viewOf(entry), `/api/v1/time-entries/${entry.id}`),
  );
