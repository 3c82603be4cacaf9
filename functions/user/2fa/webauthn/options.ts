import * as WebAuthn from "@svc/core/identity/factors/webauthn";
import { api } from "../../../http/api.ts";
import { reauthenticated } from "../../../http/reauthenticated.ts";
import { secret } from "../../../http/reply.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** A challenge for a new credential on the caller's device. */
export const handler = api({
  summary: "Options for navigator.credentials.create",
  returns: { 200: WebAuthn.Options },
})
  .use(signedIn())
  .use(reauthenticated())
  .handler(({ actor }) => WebAuthn.registrationOptions(actor), secret);
