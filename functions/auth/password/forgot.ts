import * as PasswordReset from "@svc/core/identity/password/reset";
import * as z from "zod/mini";
import { api } from "../../http/api.ts";
import { input } from "../../http/input.ts";
import { limited } from "../../http/limited.ts";
import { accepted } from "../../http/reply.ts";

/** Ask for a new password. The answer is the same whether there is such an account or not. */
export const handler = api({
  summary: "Ask for a new password; a link comes by mail",
  returns: { 202: z.object({}) },
  codes: { upstream: ["mail_unavailable"] },
})
  .use(limited("login", ({ origin }) => origin.ip))
  .use(input(PasswordReset.Forgot))
  .handler(({ input, origin }) => PasswordReset.forgot(input, origin), accepted);
