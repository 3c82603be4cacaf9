import { Options } from "@svc/core/identity/factors/assertion";
import * as SecondStep from "@svc/core/identity/sign-in/second-step";
import { api } from "../http/api.ts";
import { input } from "../http/input.ts";
import { rateLimited } from "../http/rate-limited.ts";

/** Returns a WebAuthn challenge for the second step of a sign-in. */
export const handler = api({
  summary: "Get WebAuthn options for the second step of a sign-in",
  description: "Pass the reply to `navigator.credentials.get`.",
  returns: { 200: Options },
  codes: { unauthenticated: ["token_invalid", "token_expired"], missing: ["factor_not_found"] },
})
  .use(rateLimited("login", ({ origin }) => origin.ip))
  .use(input(SecondStep.Begun))
  .handler(({ input }) => SecondStep.webauthnOptions(input));
