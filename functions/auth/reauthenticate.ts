import * as Reauthentication from "@svc/core/identity/password/reauthentication";
import { api } from "../http/api.ts";
import { input } from "../http/input.ts";
import { limited } from "../http/limited.ts";
import { signedIn } from "../http/signed-in.ts";

/** Give the password again: for ten minutes this session may change what protects the account. */
export const handler = api({
  summary: "Give my password again",
  returns: { 200: Reauthentication.Reauthenticated },
  codes: { forbidden: ["invalid_credentials"], busy: ["account_temporarily_locked"] },
})
  .use(signedIn())
  .use(limited("login", ({ origin }) => origin.ip))
  .use(input(Reauthentication.Reauthenticate))
  .handler(({ actor, input }) => Reauthentication.reauthenticate(actor, input));
