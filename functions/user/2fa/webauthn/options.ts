// The domain code is in packages/core/identity/factors.

import { Options } from "@svc/core/identity/factors/assertion";
import * as WebAuthn from "@svc/core/identity/factors/webauthn";
import { api } from "../../../http/api.ts";
import { query } from "../../../http/input.ts";
import { recentlyReauthenticated } from "../../../http/recently-reauthenticated.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** Returns a WebAuthn challenge for registering a new credential. */
export const handler = api({
  summary: "Get WebAuthn options for a new passkey or security key",
  description:
    "Pass the reply to `navigator.credentials.create`. With `kind=passkey`, the credential must be stored by the device and also signs in alone; without, it is a second factor only.",
  returns: { 200: Options },
})
  .use(signedIn())
  .use(recentlyReauthenticated())
  .use(query(WebAuthn.Begin))
  .handler(({ actor, query }) => WebAuthn.registrationOptions(actor, query));
