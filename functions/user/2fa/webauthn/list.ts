// The domain code is in packages/core/identity/factors.

import * as WebAuthn from "@svc/core/identity/factors/webauthn";
import { api } from "../../../http/api.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** Lists the caller's passkeys and security keys. */
export const handler = api({
  summary: "List your passkeys and security keys",
  description:
    "`rpId`, `userHandle` and each `credentialId` are what browsers need to signal which passkeys are still accepted.",
  returns: { 200: WebAuthn.Registrations },
})
  .use(signedIn())
  .handler(({ actor }) => WebAuthn.list(actor));
