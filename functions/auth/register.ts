import * as Register from "@svc/core/identity/registration/register";
import * as z from "zod/mini";
import { api } from "../http/api.ts";
import { input } from "../http/input.ts";
import { limited } from "../http/limited.ts";
import { accepted } from "../http/reply.ts";

/** Ask for an account. The answer is the same whether the address is taken or not. */
export const handler = api({
  summary: "Ask for an account; a link comes by mail",
  returns: { 202: z.object({}) },
  codes: { invalid: ["password_too_common"], upstream: ["mail_unavailable"] },
})
  .use(limited("login", ({ origin }) => origin.ip))
  .use(input(Register.Register))
  .handler(({ input }) => Register.register(input), accepted);
