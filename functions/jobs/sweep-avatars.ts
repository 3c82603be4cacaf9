import * as Sweep from "@svc/core/avatar/sweep";
import { log } from "@svc/core/platform/log/log";

/** Deletes avatar objects that no user refers to. `{"dryRun":true}` only lists them. */
export async function handler(event: unknown): Promise<Sweep.Swept> {
  const swept = await Sweep.sweep(Sweep.Sweep.parse(event ?? {}));
  log.info("avatars swept", { ...swept, orphans: swept.orphans.length });
  return swept;
}
