import { logout } from "@svc/core/identity/sign-in/login";
import { api } from "../http/api.ts";
import { clearTokenCookie } from "../http/cookies.ts";
import { noContent } from "../http/reply.ts";
import { signedIn } from "../http/signed-in.ts";

/** Ends the session that makes the call and clears the token cookie. */
export const handler = api({ summary: "Sign out", returns: { 204: null } })
  .use(signedIn())
  .handler(
    ({ actor }) => logout(actor),
    () => ({ ...noContent(), cookies: [clearTokenCookie()] }),
  );
