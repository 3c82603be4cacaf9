import type { Actor } from "@svc/core/base/actor";
import { Fault } from "@svc/core/base/fault";
import { requireScope } from "@svc/core/base/token-scope";
import * as Session from "@svc/core/identity/sessions/session";
import * as ApiToken from "@svc/core/identity/tokens/api-token";
import * as Config from "@svc/core/platform/config/config";
import { type Caller, callerOf } from "../routes.ts";
import type { Call, Step } from "./api.ts";
import { cookie, tokenCookie } from "./cookies.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Requires the sign-in that the route's `caller` declares. Reads the bearer token or, without one, the cookie. Adds `actor`.
 * Fails closed: rejects every request to a route that is public or not in routes.ts.
 */
export function signedIn(): Step<Call, { actor: Actor }> {
  return {
    contract: {
      signIn: "required",
      codes: {
        unauthenticated: ["token_missing", "token_invalid", "token_expired", "session_ended"],
        forbidden: ["cross_origin"],
      },
    },
    async before(call) {
      const { routeKey } = call.event;
      const caller = callerOf(routeKey);
      if (caller !== "session" && typeof caller !== "object")
        throw new Error(`routes.ts does not say which sign-in ${routeKey} requires.`);
      return { actor: await authenticate(call, caller) };
    },
  };
}

/** Reads the sign-in of a route for "optional" callers. Adds `actor`, unless the token is missing or no longer valid. */
export function optionallySignedIn(): Step<Call, { actor?: Actor }> {
  return {
    contract: { signIn: "optional", codes: { forbidden: ["cross_origin"] } },
    async before(call) {
      const { routeKey } = call.event;
      const caller = callerOf(routeKey);
      if (caller !== "optional")
        throw new Error(`routes.ts does not say that ${routeKey} works without a sign-in.`);
      try {
        return { actor: await authenticate(call, caller) };
      } catch (error) {
        if (error instanceof Fault && error.kind === "unauthenticated") return {};
        throw error;
      }
    },
  };
}

async function authenticate({ event, origin }: Call, caller: Exclude<Caller, "anyone">): Promise<Actor> {
  const { authorization } = event.headers;
  if (authorization === undefined) return Session.authenticate(cookieToken(event), origin);
  const token = bearer(authorization);
  if (!token.startsWith(ApiToken.prefix)) return Session.authenticate(token, origin);
  const actor = await ApiToken.authenticate(token, origin);
  if (typeof caller !== "object")
    throw new Fault(
      "forbidden",
      "session_required",
      "API tokens cannot call this endpoint. Sign in and use a session token.",
    );
  requireScope(actor, caller.token);
  return actor;
}

/** Returns the token of an Authorization header (RFC 6750, section 2.1). */
function bearer(authorization: string): string {
  const token = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization)?.[1];
  if (!token)
    throw new Fault(
      "unauthenticated",
      "token_invalid",
      "The Authorization header must be “Bearer”, a space and the token.",
    );
  return token;
}

/** Browsers attach the cookie to requests from any site, so changes are accepted from our own pages only (CSRF). */
function cookieToken(event: Call["event"]): string {
  const token = cookie(event, tokenCookie);
  if (!token)
    throw new Fault(
      "unauthenticated",
      "token_missing",
      "Sign in, then send the token in the header “Authorization: Bearer …”.",
    );
  const { origin, "sec-fetch-site": site } = event.headers;
  const sameOrigin = origin === Config.appUrl() || site === "same-origin";
  if (!safeMethods.has(event.requestContext.http.method) && !sameOrigin)
    throw new Fault(
      "forbidden",
      "cross_origin",
      "Requests that authenticate with the cookie must come from the web client’s own pages.",
    );
  return token;
}
