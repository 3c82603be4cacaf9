// The domain code is in packages/core/identity/factors.

import * as AuthenticatorApp from "@svc/core/identity/factors/authenticator-app";
import * as BackupCodes from "@svc/core/identity/factors/backup-codes";
import { api } from "../../../http/api.ts";
import { input } from "../../../http/input.ts";
import { recentlyReauthenticated } from "../../../http/recently-reauthenticated.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** Confirms an authenticator app with its first code and returns new backup codes. */
export const handler = api({
  summary: "Confirm an authenticator app",
  description:
    "Takes the first code that the app shows. The reply is the only place where the backup codes are shown.",
  returns: { 200: BackupCodes.Shown },
  codes: { conflict: ["totp_not_begun", "totp_already_enabled"], invalid: ["code_invalid"] },
})
  .use(signedIn())
  .use(recentlyReauthenticated())
  .use(input(AuthenticatorApp.Confirm))
  .handler(({ actor, input }) => AuthenticatorApp.confirm(actor, input));
