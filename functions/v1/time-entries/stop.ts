import * as TimeEntry from "@svc/core/tracking/time-entries/time-entry";
import * as Timer from "@svc/core/tracking/time-entries/timer";
import { api } from "../../http/api.ts";
import { idempotent } from "../../http/idempotent.ts";
import { workspace } from "../../http/membership.ts";
import { ok } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Stops the caller's running timer. */
export const handler = api({
  summary: "Stop your timer",
  returns: { 200: TimeEntry.View },
  versioned: "never-stored",
  codes: { conflict: ["timer_not_running"] },
})
  .use(signedIn())
  .use(workspace())
  .use(idempotent())
  .handler(
    ({ actor, membership }) => Timer.stop(actor, membership),
    async (entry) => ok(await TimeEntry.viewOf(entry)),
  );
