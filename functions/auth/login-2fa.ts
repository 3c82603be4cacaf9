import * as Login from "@svc/core/identity/sign-in/login";
import * as SecondStep from "@svc/core/identity/sign-in/second-step";
import { api } from "../http/api.ts";
import { input } from "../http/input.ts";
import { rateLimited } from "../http/rate-limited.ts";
import { loginReply } from "./login-reply.ts";

/** Completes a sign-in with the second factor. */
export const handler = api({
  summary: "Complete a sign-in with the second factor",
  description: "Takes the `mfaToken` that signing in with the password returned.",
  returns: { 200: Login.LoggedIn },
  codes: {
    unauthenticated: ["invalid_credentials", "token_invalid", "token_expired"],
    busy: ["account_temporarily_locked"],
  },
})
  .use(rateLimited("login", ({ origin }) => origin.ip))
  .use(input(SecondStep.Finish))
  .handler(({ input, origin }) => SecondStep.finish(input, origin), loginReply);
