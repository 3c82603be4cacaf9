import * as WebAuthn from "@svc/core/identity/factors/webauthn";
import { api } from "../../../http/api.ts";
import { input } from "../../../http/input.ts";
import { reauthenticated } from "../../../http/reauthenticated.ts";
import { createdSecret } from "../../../http/reply.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** Keep a credential as a second factor; with the first factor come backup codes, shown this once. */
export const handler = api({
  summary: "Register a device or security key",
  returns: { 201: WebAuthn.Registered },
  codes: { conflict: ["credential_known"], invalid: ["credential_invalid"] },
})
  .use(signedIn())
  .use(reauthenticated())
  .use(input(WebAuthn.Register))
  .handler(
    ({ actor, input }) => WebAuthn.register(actor, input),
    (registered) => createdSecret(registered, `/user/2fa/webauthn/${registered.id}`),
  );
