import * as Refresh from "@svc/core/money/feeds/refresh";
import { log } from "@svc/core/platform/log/log";

/** Fetch what the central banks have published. `{"accept":["EGP"]}` takes rates out of quarantine that are right after all. */
export async function handler(event: unknown): Promise<Refresh.Refreshed> {
  const refreshed = await Refresh.refresh(Refresh.Refresh.parse(event ?? {}));
  // An alarm counts these: stacks/alarms.ts.
  log.info("rates refreshed", { ...refreshed, staleSources: refreshed.stale.length });
  return refreshed;
}
