import * as Reseal from "@svc/core/lifecycle/reseal";
import { log } from "@svc/core/platform/log/log";

/** Seal anew what is still sealed with an older encryption key. The older keys may go once nothing has failed. */
export async function handler(): Promise<Reseal.Resealed> {
  const done = await Reseal.reseal();
  log.info("resealed", done);
  return done;
}
