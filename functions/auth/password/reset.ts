import * as PasswordReset from "@svc/core/identity/password/reset";
import { api } from "../../http/api.ts";
import { input } from "../../http/input.ts";
import { rateLimited } from "../../http/rate-limited.ts";
import { noContent } from "../../http/reply.ts";

/** Sets a new password with the token from a reset link. It does not sign the user in. */
export const handler = api({
  summary: "Reset a password",
  description:
    "Takes the token from the link in the email. It ends every session, revokes your API tokens and does not sign you in.",
  returns: { 204: null },
  codes: { expired: ["link_expired"], invalid: ["password_too_weak"] },
})
  .use(rateLimited("login", ({ origin }) => origin.ip))
  .use(input(PasswordReset.Reset))
  .handler(({ input, origin }) => PasswordReset.reset(input, origin), noContent);
