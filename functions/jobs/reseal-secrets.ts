import { log } from "@svc/core/log/log";
import * as Reseal from "@svc/core/security/reseal";

/** Seal anew what is still sealed with an older encryption key. The older keys may go once nothing has failed. */
export async function handler(): Promise<Reseal.Resealed> {
  const done = await Reseal.reseal();
  log.info("resealed", done);
  return done;
}
