import * as Bypass from "@svc/core/identity/sign-in/emergency-bypass";
import { LoggedIn } from "@svc/core/identity/sign-in/login";
import { api } from "../http/api.ts";
import { input } from "../http/input.ts";
import { rateLimited } from "../http/rate-limited.ts";
import { loginReply } from "./login-reply.ts";

/** Signs in a workspace admin whose IP address the workspace's allowlist rejects. */
export const handler = api({
  summary: "Bypass the IP allowlist in an emergency",
  description: `For workspace admins with a second factor. Takes the email and password with a code, or a passkey with the \`challengeToken\` of \`POST /auth/passkey/options\`. The session ignores IP allowlists for ${Bypass.bypassMinutes} minutes, and every admin is notified by email.`,
  returns: { 200: LoggedIn },
  codes: {
    unauthenticated: ["invalid_credentials"],
    forbidden: ["bypass_not_available"],
    busy: ["account_temporarily_locked"],
  },
})
  .use(rateLimited("login", ({ origin }) => origin.ip))
  .use(input(Bypass.Bypass))
  .handler(({ input, origin }) => Bypass.bypass(input, origin), loginReply);
