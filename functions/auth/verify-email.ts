import * as Registration from "@svc/core/identity/registration/verification";
import * as Login from "@svc/core/identity/sign-in/login";
import { api } from "../http/api.ts";
import { input } from "../http/input.ts";
import { rateLimited } from "../http/rate-limited.ts";
import { loginReply } from "./login-reply.ts";

/** Creates the account for a verification link and signs in its owner. */
export const handler = api({
  summary: "Verify an email and create the account",
  description: "Takes the token from the link in the verification email and signs the new user in.",
  returns: { 200: Login.LoggedIn },
  codes: { expired: ["link_expired"] },
})
  .use(rateLimited("login", ({ origin }) => origin.ip))
  .use(input(Registration.Verify))
  .handler(({ input, origin }) => Registration.verify(input, origin), loginReply);
