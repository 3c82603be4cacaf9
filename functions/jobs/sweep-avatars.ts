import * as Sweep from "@svc/core/avatar/sweep";
import { log } from "@svc/core/platform/log/log";

/** Remove pictures that nobody points to. `{"dryRun":true}` only names them. */
export async function handler(event: unknown): Promise<Sweep.Swept> {
  const swept = await Sweep.sweep(Sweep.Sweep.parse(event ?? {}));
  log.info("swept", { ...swept, orphans: swept.orphans.length });
  return swept;
}
