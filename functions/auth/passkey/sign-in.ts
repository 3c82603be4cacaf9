// The domain code is in packages/core/identity/sign-in.

import { LoggedIn } from "@svc/core/identity/sign-in/login";
import * as PasskeyLogin from "@svc/core/identity/sign-in/passkey-login";
import { api } from "../../http/api.ts";
import { input } from "../../http/input.ts";
import { rateLimited } from "../../http/rate-limited.ts";
import { loginReply } from "../login-reply.ts";

/** Signs in with a passkey, without an email and a second factor. */
export const handler = api({
  summary: "Sign in with a passkey",
  description: "The passkey stands for both factors. The account is the one that the device stored with it.",
  returns: { 200: LoggedIn },
  codes: { unauthenticated: ["invalid_credentials"] },
})
  .use(rateLimited("login", ({ origin }) => origin.ip))
  .use(input(PasskeyLogin.SignIn))
  .handler(({ input, origin }) => PasskeyLogin.signIn(input, origin), loginReply);
