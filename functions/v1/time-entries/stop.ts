import * as TimeEntry from "@svc/core/tracking/time-entries/time-entry";
import * as Timer from "@svc/core/tracking/time-entries/timer";
import { api } from "../../http/api.ts";
import { idempotent } from "../../http/idempotent.ts";
import { workspace } from "../../http/membership.ts";
import { okNoStore } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Stops the caller's running timer. */
export const handler = api({
  summary: "Stop your timer",
  returns: { 200: TimeEntry.View },
  codes: { conflict: ["timer_not_running"] },
})
  .use(signedIn())
  .use(workspace())
  .use(idempotent())
  .handler(
    ({ actor, membership }) => Timer.stop(actor, membership),
    async (entry) => okNoStore(await TimeEntry.viewOf(entry)),
  );
