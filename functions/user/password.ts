import * as Password from "@svc/core/identity/password/change";
import { api } from "../http/api.ts";
import { input } from "../http/input.ts";
import { noContent } from "../http/reply.ts";
import { signedIn } from "../http/signed-in.ts";

/** Changes the caller's password and ends their other sessions. */
export const handler = api({
  summary: "Change your password",
  description: "Ends all your other sessions.",
  returns: { 204: null },
  codes: {
    forbidden: ["invalid_credentials"],
    invalid: ["password_too_common"],
    busy: ["account_temporarily_locked"],
  },
})
  .use(signedIn())
  .use(input(Password.Change))
  .handler(({ actor, input }) => Password.change(actor, input), noContent);
