import { log } from "@svc/core/platform/log/log";
import { sendNotices } from "@svc/core/webhook/notice";
import { type SweepResult, sweep } from "@svc/core/webhook/sweep";

/** Attempts every due delivery that no queue message announced, then notifies admins of disabled webhooks. */
export async function handler(): Promise<SweepResult & { notices: number }> {
  const done = { ...(await sweep()), notices: await sendNotices() };
  if (done.attempted + done.failedHere + done.notices > 0) log.info("webhooks swept", done);
  return done;
}
