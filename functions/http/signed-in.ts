import type { Actor } from "@svc/core/base/actor";
import { Fault } from "@svc/core/base/fault";
import { requireScope } from "@svc/core/base/token-scope";
import * as Event from "@svc/core/event/event";
import * as Session from "@svc/core/identity/sessions/session";
import * as ApiToken from "@svc/core/identity/tokens/api-token";
import * as Config from "@svc/core/platform/config/config";
import type { Refusal } from "@svc/core/workspace/authorization";
import { type Caller, callerOf } from "../routes.ts";
import type { Call, Step } from "./api.ts";
import { cookie, tokenCookie } from "./cookies.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Requires the sign-in that the route's `caller` declares. Reads the bearer token or, without one, the cookie. Adds `actor`, and
 * `membershipRow` for the step that authorizes the caller in a workspace, both from one statement. Fails closed: rejects every
 * request to a route that is public or not in routes.ts.
 */
export function signedIn(): Step<Call, Session.Caller> {
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
      return authenticate(call, caller);
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
        return await authenticate(call, caller);
      } catch (error) {
        if (error instanceof Fault && error.kind === "unauthenticated") return {};
        throw error;
      }
    },
  };
}

/** `membershipRow` may also come from a later step, which reads the workspace that the body names. */
type Refused = Call & Pick<Session.Caller, "membershipRow">;

async function authenticate(call: Refused, caller: Exclude<Caller, "anyone">): Promise<Session.Caller> {
  const signedIn = await identify(call);
  call.recordRefusal = (fault) => recordRefusal(call, signedIn, fault);
  const { actor } = signedIn;
  if (!actor.grant) return signedIn;
  if (typeof caller !== "object")
    throw new Fault(
      "forbidden",
      "session_required",
      "API tokens cannot call this endpoint. Sign in and use a session token.",
    );
  requireScope(actor, caller.token);
  return signedIn;
}

/** Reads the session or the API token. */
async function identify({ event, origin, workspaceRef }: Call): Promise<Session.Caller> {
  const { authorization } = event.headers;
  if (authorization === undefined) return Session.authenticateIn(workspaceRef, cookieToken(event), origin);
  const token = bearer(authorization);
  if (!token.startsWith(ApiToken.prefix)) return Session.authenticateIn(workspaceRef, token, origin);
  return ApiToken.authenticateIn(workspaceRef, token, origin);
}

/** Records a 403 in the audit log of the workspace that the request concerns. The IP allowlist records its own. */
async function recordRefusal(
  { event, membershipRow: laterRow }: Refused,
  { actor, membershipRow = laterRow }: Session.Caller,
  { code }: Fault,
): Promise<void> {
  const workspaceId = membershipRow?.workspaceId ?? actor.grant?.workspaceId;
  if (workspaceId === undefined || code === ("ip_not_allowed" satisfies Refusal)) return;
  await Event.recordFailure(actor, {
    action: "security.access_denied",
    target: { type: "workspace", id: workspaceId, name: membershipRow?.workspaceName ?? "" },
    details: { route: event.routeKey, reason: code },
    workspaceId,
  });
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
