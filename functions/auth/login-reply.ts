import type { LoggedIn, MfaRequired } from "@svc/core/identity/sign-in/login";
import { setTokenCookie } from "../http/cookies.ts";
import { ok, type Reply } from "../http/reply.ts";

/**
 * Replies with the token in the body for API clients and in a cookie for the web client. Sends neither while a second step
 * is pending.
 */
export function loginReply(result: LoggedIn | MfaRequired): Reply {
  if ("mfaRequired" in result) return ok(result);
  return { ...ok(result), cookies: [setTokenCookie(result.token, new Date(result.expiresAt))] };
}
