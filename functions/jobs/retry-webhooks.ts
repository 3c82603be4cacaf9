import { log } from "@svc/core/platform/log/log";
import type { Drained } from "@svc/core/webhook/drain";
import { sendNotices } from "@svc/core/webhook/notice";
import { sweep } from "@svc/core/webhook/sweep";
import { job } from "./job.ts";

/** Attempts every due delivery that no queue message announced, then notifies admins of disabled webhooks. */
export const handler = job(async (): Promise<Drained & { notices: number }> => {
  const done = { ...(await sweep()), notices: await sendNotices() };
  if (done.attempted + done.failedHere + done.notices > 0) log.info("webhooks swept", done);
  return done;
});
