import * as Register from "@svc/core/identity/registration/register";
import * as z from "zod/mini";
import { api } from "../http/api.ts";
import { input } from "../http/input.ts";
import { rateLimited } from "../http/rate-limited.ts";
import { accepted } from "../http/reply.ts";

/** Starts a registration. The reply does not reveal whether the email already has an account. */
export const handler = api({
  summary: "Register an account",
  description:
    "Sends a verification link by email. The reply is the same whether or not the email already has an account.",
  returns: { 202: z.object({}) },
  codes: { invalid: ["password_too_weak"], upstream: ["mail_unavailable"] },
})
  .use(rateLimited("login", ({ origin }) => origin.ip))
  .use(input(Register.Register))
  .handler(({ input }) => Register.register(input), accepted);
