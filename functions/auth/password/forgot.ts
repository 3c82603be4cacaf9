import * as PasswordReset from "@svc/core/identity/password/reset-link";
import * as z from "zod/mini";
import { api } from "../../http/api.ts";
import { input } from "../../http/input.ts";
import { rateLimited } from "../../http/rate-limited.ts";
import { accepted } from "../../http/reply.ts";

/** Sends a password reset link. The reply does not reveal whether the email has an account. */
export const handler = api({
  summary: "Request a password reset link",
  description: "Sends a link by email. The reply is the same whether or not the email has an account.",
  returns: { 202: z.object({}) },
  codes: { upstream: ["mail_unavailable"] },
})
  .use(rateLimited("login", ({ origin }) => origin.ip))
  .use(input(PasswordReset.Forgot))
  .handler(({ input, origin }) => PasswordReset.forgot(input, origin), accepted);
