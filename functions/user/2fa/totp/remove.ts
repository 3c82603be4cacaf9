// The domain code is in packages/core/identity/factors.

import * as AuthenticatorApp from "@svc/core/identity/factors/authenticator-app";
import { api } from "../../../http/api.ts";
import { recentlyReauthenticated } from "../../../http/recently-reauthenticated.ts";
import { noContent } from "../../../http/reply.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** Removes the caller's authenticator app. */
export const handler = api({
  summary: "Remove your authenticator app",
  returns: { 204: null },
  codes: { missing: ["factor_not_found"] },
})
  .use(signedIn())
  .use(recentlyReauthenticated())
  .handler(({ actor }) => AuthenticatorApp.remove(actor), noContent);
