// The domain code is in packages/core/identity/factors.

import * as BackupCodes from "@svc/core/identity/factors/backup-codes";
import { api } from "../../http/api.ts";
import { recentlyReauthenticated } from "../../http/recently-reauthenticated.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Replaces the caller's backup codes with twelve new ones. */
export const handler = api({
  summary: "Generate new backup codes",
  description: "Invalidates the previous codes. The reply is the only place where the new ones are shown.",
  returns: { 200: BackupCodes.Shown },
  codes: { conflict: ["two_factor_not_enabled"] },
})
  .use(signedIn())
  .use(recentlyReauthenticated())
  .handler(({ actor }) => BackupCodes.regenerate(actor));
