// The domain code is in packages/core/identity/factors.

import * as WebAuthn from "@svc/core/identity/factors/webauthn";
import { api } from "../../../http/api.ts";
import { recentlyReauthenticated } from "../../../http/recently-reauthenticated.ts";
import { okNoStore } from "../../../http/reply.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** Returns a WebAuthn challenge for registering a new credential. */
export const handler = api({
  summary: "Get WebAuthn options for a new passkey or security key",
  description: "Pass the reply to `navigator.credentials.create`.",
  returns: { 200: WebAuthn.Options },
})
  .use(signedIn())
  .use(recentlyReauthenticated())
  .handler(({ actor }) => WebAuthn.registrationOptions(actor), okNoStore);
