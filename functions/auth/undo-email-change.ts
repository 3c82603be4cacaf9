import * as EmailChange from "@svc/core/identity/email-change/email-change";
import { api } from "../http/api.ts";
import { input } from "../http/input.ts";
import { rateLimited } from "../http/rate-limited.ts";

/** Restores the email of an account to the one before a change, and starts a password reset. */
export const handler = api({
  summary: "Undo a change of email",
  description:
    "Takes the token from the link that `PUT /user/email` sent to the old email. Restores that email, ends every session, revokes every API token, removes passkeys, second factors and devices that were added since the change was requested or in the day before, and invalidates the password. Send the `resetToken` to `POST /auth/password/reset` to choose a new one.",
  returns: { 200: EmailChange.Undone },
  codes: { expired: ["link_expired"], conflict: ["email_taken"] },
})
  .use(rateLimited("login", ({ origin }) => origin.ip))
  .use(input(EmailChange.Link))
  .handler(({ input, origin }) => EmailChange.undo(input, origin));
