// The domain code is in packages/core/identity/factors.

import * as WebAuthn from "@svc/core/identity/factors/webauthn";
import { api } from "../../../http/api.ts";
import { path } from "../../../http/input.ts";
import { recentlyReauthenticated } from "../../../http/recently-reauthenticated.ts";
import { noContent } from "../../../http/reply.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** Removes one of the caller's passkeys or security keys. */
export const handler = api({
  summary: "Remove a passkey or security key",
  returns: { 204: null },
  codes: { missing: ["factor_not_found"] },
})
  .use(signedIn())
  .use(recentlyReauthenticated())
  .use(path("id"))
  .handler(({ actor, id }) => WebAuthn.remove(actor, id), noContent);
