import * as Password from "@svc/core/identity/password/change";
import { api } from "../http/api.ts";
import { input } from "../http/input.ts";
import { noContent } from "../http/reply.ts";
import { signedIn } from "../http/signed-in.ts";

/** Changes the caller's password, ends their other sessions and revokes their API tokens. */
export const handler = api({
  summary: "Change your password",
  description: "Ends all your other sessions and revokes your API tokens, unless `keepApiTokens` is true.",
  returns: { 204: null },
  codes: {
    forbidden: ["invalid_credentials"],
    invalid: ["password_too_weak"],
    busy: ["account_temporarily_locked"],
  },
})
  .use(signedIn())
  .use(input(Password.Change))
  .handler(({ actor, input }) => Password.change(actor, input), noContent);
