import { log } from "@svc/core/log/log";
import * as Refresh from "@svc/core/money/feed/refresh";

/** Fetch what the central banks have published. `{"accept":["EGP"]}` takes rates out of quarantine that are right after all. */
export async function handler(event: unknown): Promise<Refresh.Refreshed> {
  const refreshed = await Refresh.refresh(Refresh.Refresh.parse(event ?? {}));
  log.info("rates refreshed", refreshed);
  return refreshed;
}
