import * as EmailChange from "@svc/core/identity/email-change/email-change";
import { api } from "../http/api.ts";
import { input } from "../http/input.ts";
import { rateLimited } from "../http/rate-limited.ts";
import { noContent } from "../http/reply.ts";

/** Makes the new email of an account the one that its user signs in with. */
export const handler = api({
  summary: "Confirm a new email",
  description:
    "Takes the token from the link that `PUT /user/email` sent to the new email. From then on, the user signs in with this email.",
  returns: { 204: null },
  codes: { expired: ["link_expired"], conflict: ["email_taken"] },
})
  .use(rateLimited("login", ({ origin }) => origin.ip))
  .use(input(EmailChange.Link))
  .handler(({ input, origin }) => EmailChange.confirm(input, origin), noContent);
