import type { LoggedIn, MfaRequired } from "@svc/core/identity/sign-in/login";
import { tokenSet } from "../http/cookies.ts";
import { type Reply, secret } from "../http/reply.ts";

/** The token in the body for programs and in a cookie for the web client; neither while a second step is to come. */
export function loggedIn(result: LoggedIn | MfaRequired): Reply {
  if ("mfaRequired" in result) return secret(result);
  return { ...secret(result), cookies: [tokenSet(result.token, new Date(result.expiresAt))] };
}
