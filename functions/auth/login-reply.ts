import type { LoggedIn, MfaRequired } from "@svc/core/identity/sign-in/login";
import { setTokenCookie } from "../http/cookies.ts";
import { okNoStore, type Reply } from "../http/reply.ts";

/**
 * Replies with the token in the body for API clients and in a cookie for the web client. Sends neither while a second step
 * is pending.
 */
export function loginReply(result: LoggedIn | MfaRequired): Reply {
  if ("mfaRequired" in result) return okNoStore(result);
  return { ...okNoStore(result), cookies: [setTokenCookie(result.token, new Date(result.expiresAt))] };
}
