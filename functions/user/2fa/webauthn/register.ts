// The domain code is in packages/core/identity/factors.

import * as WebAuthn from "@svc/core/identity/factors/webauthn";
import { api } from "../../../http/api.ts";
import { input } from "../../../http/input.ts";
import { recentlyReauthenticated } from "../../../http/recently-reauthenticated.ts";
import { created } from "../../../http/reply.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** Registers a passkey, or a security key as a second factor. Returns backup codes if it is the first factor. */
export const handler = api({
  summary: "Register a passkey or security key",
  description:
    "If it is your first second factor, the reply also contains backup codes, which are not shown again.",
  returns: { 201: WebAuthn.Registered },
  codes: { conflict: ["credential_known"], invalid: ["credential_invalid"] },
})
  .use(signedIn())
  .use(recentlyReauthenticated())
  .use(input(WebAuthn.Register))
  .handler(
    ({ actor, input }) => WebAuthn.register(actor, input),
    (registered) => created(registered, `/user/2fa/webauthn/${registered.id}`),
  );
