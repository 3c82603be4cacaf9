import type { LoggedIn, MfaRequired } from "@svc/core/identity/sign-in/login";
import { tokenSet } from "../http/cookies.ts";
import { type Reply, secret } from "../http/reply.ts";

/**
 * Replies with the token in the body for API clients and in a cookie for the web client. Sends neither while a second step
 * is pending.
 */
export function loginReply(result: LoggedIn | MfaRequired): Reply {
  if ("mfaRequired" in result) return secret(result);
  return { ...secret(result), cookies: [tokenSet(result.token, new Date(result.expiresAt))] };
}
