import type { LoggedIn } from "@svc/core/account/login";
import { tokenSet } from "../http/cookies.ts";
import { type Reply, secret } from "../http/reply.ts";

/** The token in the body for programs and in a cookie for the web client. */
export function loggedIn(result: LoggedIn): Reply {
  return { ...secret(result), cookies: [tokenSet(result.token, new Date(result.expiresAt))] };
}
