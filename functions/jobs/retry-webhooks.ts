import { log } from "@svc/core/platform/log/log";
import { sendNotices } from "@svc/core/webhook/notice";
import { type Swept, sweep } from "@svc/core/webhook/sweep";

/** Attempt every delivery that is due and that no message woke anybody for, then tell admins of disabled webhooks. */
export async function handler(): Promise<Swept & { notices: number }> {
  const done = { ...(await sweep()), notices: await sendNotices() };
  if (done.attempted + done.failedHere + done.notices > 0) log.info("webhooks swept", done);
  return done;
}
