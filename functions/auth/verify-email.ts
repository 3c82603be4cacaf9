import * as Registration from "@svc/core/identity/registration/verification";
import * as Login from "@svc/core/identity/sign-in/login";
import { api } from "../http/api.ts";
import { input } from "../http/input.ts";
import { rateLimited } from "../http/rate-limited.ts";
import { loginReply } from "./login-reply.ts";

/** Creates the account for a verification link and the password of its registration, and signs in its owner. */
export const handler = api({
  summary: "Verify an email and create the account",
  description:
    "Takes the token from the link in the verification email and the password of the registration, and signs the new user in. The link also confirms another pending registration of the same email, which has this password.",
  returns: { 200: Login.LoggedIn },
  codes: {
    expired: ["link_expired"],
    unauthenticated: ["invalid_credentials"],
    busy: ["account_temporarily_locked"],
  },
})
  .use(rateLimited("login", ({ origin }) => origin.ip))
  .use(input(Registration.Verify))
  .handler(({ input, origin }) => Registration.verify(input, origin), loginReply);
