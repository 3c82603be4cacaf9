import * as AuthenticatorApp from "@svc/core/identity/factors/authenticator-app";
import { api } from "../../../http/api.ts";
import { reauthenticated } from "../../../http/reauthenticated.ts";
import { secret } from "../../../http/reply.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** A secret for an authenticator app, which counts once a first code has confirmed it. */
export const handler = api({
  summary: "Begin to set up an authenticator app",
  returns: { 200: AuthenticatorApp.SetUp },
  codes: { conflict: ["totp_already_enabled"] },
})
  .use(signedIn())
  .use(reauthenticated())
  .handler(({ actor }) => AuthenticatorApp.begin(actor), secret);
