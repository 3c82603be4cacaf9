import * as PasswordReset from "@svc/core/identity/password/reset";
import { api } from "../../http/api.ts";
import { input } from "../../http/input.ts";
import { limited } from "../../http/limited.ts";
import { noContent } from "../../http/reply.ts";

/** Set the password that a mailed link is for. Nobody is logged in by it. */
export const handler = api({
  summary: "Set a new password with the link from the mail",
  returns: { 204: null },
  codes: { expired: ["link_expired"], invalid: ["password_too_common"] },
})
  .use(limited("login", ({ origin }) => origin.ip))
  .use(input(PasswordReset.Reset))
  .handler(({ input, origin }) => PasswordReset.reset(input, origin), noContent);
