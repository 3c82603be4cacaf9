import { SweepInput, type SweepResult, sweep } from "@svc/core/avatar/sweep";
import { log } from "@svc/core/platform/log/log";

/** Deletes avatar objects that no user refers to. `{"dryRun":true}` only lists them. */
export async function handler(event: unknown): Promise<SweepResult> {
  const result = await sweep(SweepInput.parse(event ?? {}));
  log.info("avatars swept", { ...result, orphans: result.orphans.length });
  return result;
}
