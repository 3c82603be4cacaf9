import { recordErasures } from "@svc/core/lifecycle/record-erasures";
import { log } from "@svc/core/platform/log/log";
import { job } from "./job.ts";

/** Writes erasures to the files bucket, so that they can be applied again after a backup was restored. */
export const handler = job(async (): Promise<{ recorded: number }> => {
  const recorded = await recordErasures();
  if (recorded > 0) log.info("erasures recorded", { recorded });
  return { recorded };
});
