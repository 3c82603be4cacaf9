import * as Refresh from "@svc/core/money/feeds/refresh";
import { log } from "@svc/core/platform/log/log";

/**
 * Fetches the rates that the central banks have published. `{"accept":["EGP"]}` releases the quarantined rates of these
 * currencies.
 */
export async function handler(event: unknown): Promise<Refresh.Refreshed> {
  const refreshed = await Refresh.refresh(Refresh.Refresh.parse(event ?? {}));
  // An alarm counts this message: stacks/alarms.ts.
  log.info("rates refreshed", { ...refreshed, staleSources: refreshed.stale.length });
  return refreshed;
}
