import * as Reauthentication from "@svc/core/identity/sign-in/reauthentication";
import { api } from "../http/api.ts";
import { input } from "../http/input.ts";
import { rateLimited } from "../http/rate-limited.ts";
import { signedIn } from "../http/signed-in.ts";

/** Confirms the caller's password or passkey. For ten minutes, this session may then change security settings that require it. */
export const handler = api({
  summary: "Confirm your password or passkey",
  description:
    "For ten minutes, this session may change second factors and delete the account. A passkey needs the `challengeToken` of `POST /auth/passkey/options`.",
  returns: { 200: Reauthentication.Reauthenticated },
  codes: { forbidden: ["invalid_credentials"], busy: ["account_temporarily_locked"] },
})
  .use(signedIn())
  .use(rateLimited("login", ({ origin }) => origin.ip))
  .use(input(Reauthentication.Reauthenticate))
  .handler(({ actor, input }) => Reauthentication.reauthenticate(actor, input));
