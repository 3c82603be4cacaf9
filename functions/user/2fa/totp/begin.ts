// The domain code is in packages/core/identity/factors.

import * as AuthenticatorApp from "@svc/core/identity/factors/authenticator-app";
import { api } from "../../../http/api.ts";
import { recentlyReauthenticated } from "../../../http/recently-reauthenticated.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** Returns a secret for an authenticator app. It becomes a factor when its first code is confirmed. */
export const handler = api({
  summary: "Set up an authenticator app",
  description: "The app becomes a second factor once its first code is confirmed.",
  returns: { 200: AuthenticatorApp.SetUp },
  codes: { conflict: ["totp_already_enabled"] },
})
  .use(signedIn())
  .use(recentlyReauthenticated())
  .handler(({ actor }) => AuthenticatorApp.begin(actor));
