import * as Login from "@svc/core/identity/sign-in/login";
import * as z from "zod/mini";
import { api } from "../http/api.ts";
import { input } from "../http/input.ts";
import { rateLimited } from "../http/rate-limited.ts";
import { loginReply } from "./login-reply.ts";

/** Signs in with email and password. With two-factor authentication, replies with a token for the second step instead. */
export const handler = api({
  summary: "Sign in with email and password",
  description: "Returns a token, or `mfaRequired` with the methods available for the second step.",
  returns: { 200: z.union([Login.LoggedIn, Login.MfaRequired]) },
  codes: { unauthenticated: ["invalid_credentials"], busy: ["account_temporarily_locked"] },
})
  .use(rateLimited("login", ({ origin }) => origin.ip))
  .use(input(Login.Credentials))
  .handler(({ input, origin }) => Login.login(input, origin), loginReply);
