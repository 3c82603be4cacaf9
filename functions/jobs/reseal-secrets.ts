import * as Reseal from "@svc/core/lifecycle/reseal";
import { log } from "@svc/core/platform/log/log";
import { job } from "./job.ts";

/** Re-encrypts secrets that use an older encryption key. Once a run reports no failures, the older keys can be removed. */
export const handler = job(async (): Promise<Reseal.Resealed> => {
  const done = await Reseal.reseal();
  log.info("resealed", done);
  return done;
});
