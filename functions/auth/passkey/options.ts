// The domain code is in packages/core/identity/factors.

import * as Passkey from "@svc/core/identity/factors/passkey";
import { api } from "../../http/api.ts";

/** Returns a WebAuthn challenge for any passkey of this site. Has no rate limit, because it stores nothing. */
export const handler = api({
  summary: "Get WebAuthn options to sign in with a passkey",
  description:
    "Pass `options` to `navigator.credentials.get`, and the credential with the `challengeToken` to `POST /auth/passkey` within five minutes. The token works once.",
  returns: { 200: Passkey.Begun },
}).handler(() => Passkey.options());
