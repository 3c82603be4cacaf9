import * as TimeEntry from "@svc/core/tracking/time-entries/time-entry";
import * as Timer from "@svc/core/tracking/time-entries/timer";
import { api } from "../../http/api.ts";
import { workspace } from "../../http/membership.ts";
import { ok } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Returns the caller's running timer. */
export const handler = api({
  summary: "Get your running timer",
  returns: { 200: TimeEntry.View },
  versioned: "never-stored",
  codes: { missing: ["timer_not_running"] },
})
  .use(signedIn())
  .use(workspace())
  .handler(
    ({ actor, membership }) => Timer.running(actor, membership),
    async (entry) => ok(await TimeEntry.viewOf(entry)),
  );
