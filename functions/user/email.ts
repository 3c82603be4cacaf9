import * as EmailChange from "@svc/core/identity/email-change/email-change";
import * as z from "zod/mini";
import { api } from "../http/api.ts";
import { input } from "../http/input.ts";
import { rateLimited, reportsQuotas } from "../http/rate-limited.ts";
import { accepted } from "../http/reply.ts";
import { signedIn } from "../http/signed-in.ts";

/** Requests another email for the caller's account. The reply does not reveal whether the email has an account. */
export const handler = api({
  summary: "Change your email",
  description:
    "Sends a link to the new email, which you sign in with once the link is confirmed, and a notice with an undo link to the current one. The reply is the same whether or not the new email already has an account.",
  returns: { 202: z.object({}) },
  codes: {
    forbidden: ["invalid_credentials"],
    busy: ["account_temporarily_locked"],
    upstream: ["mail_unavailable"],
  },
})
  .use(signedIn())
  .use(rateLimited("login", ({ origin }) => origin.ip))
  .use(input(EmailChange.Change))
  .use(reportsQuotas())
  .handler(({ actor, input, reportQuota }) => EmailChange.request(actor, input, reportQuota), accepted);
