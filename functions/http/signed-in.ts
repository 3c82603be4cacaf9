import type { Actor, RequestOrigin } from "@svc/core/base/actor";
import { Fault } from "@svc/core/base/fault";
import { requireScope } from "@svc/core/base/token-scope";
import * as Session from "@svc/core/identity/sessions/session";
import * as ApiToken from "@svc/core/identity/tokens/api-token";
import * as Config from "@svc/core/platform/config/config";
import type { Call, Step } from "./api.ts";
import { cookie, tokenCookie } from "./cookies.ts";

const safe = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * What only people may do, each in a session of theirs: logging in, whatever protects or ends an account, and what reaches
 * beyond the one workspace that a token is for. All of /auth and /user but the profile and the picture, and consent.
 */
const forPeople = /^\w+ \/(?:auth\/|workspaces(?:\/|$)|api\/v1\/consents|user(?:$|\/(?!profile$|avatar$)))/;

/** Who calls: by the bearer token, else by the cookie. Adds `actor`. */
export function signedIn(): Step<Call, { actor: Actor }> {
  return {
    contract: {
      needsToken: true,
      codes: {
        unauthenticated: ["token_missing", "token_invalid", "token_expired", "session_ended"],
        forbidden: ["cross_origin", "session_required", "insufficient_scope"],
      },
    },
    async before({ event, origin }) {
      const authorization = event.headers.authorization;
      if (authorization !== undefined) {
        const token = bearer(authorization);
        if (token.startsWith(ApiToken.prefix)) return { actor: await program(token, event, origin) };
        return { actor: await Session.authenticate(token, origin) };
      }
      const token = cookie(event, tokenCookie);
      if (!token)
        throw new Fault(
          "unauthenticated",
          "token_missing",
          "Log in, then send the token as Authorization: Bearer.",
        );
      if (!safe.has(event.requestContext.http.method)) refuseCrossOrigin(event.headers);
      return { actor: await Session.authenticate(token, origin) };
    },
  };
}

/** Who calls, if anybody does: a token that is missing or no longer good is nobody's. Adds `actor` or nothing. */
export function maybeSignedIn(): Step<Call, { actor?: Actor }> {
  return {
    contract: {},
    async before(call) {
      try {
        return await signedIn().before(call);
      } catch (error) {
        if (error instanceof Fault && error.kind === "unauthenticated") return {};
        throw error;
      }
    },
  };
}

/** A program: what it may do here follows from the method; what needs an admin is decided with the role. */
async function program(token: string, { routeKey, requestContext }: Call["event"], origin: RequestOrigin) {
  const actor = await ApiToken.authenticate(token, origin);
  if (forPeople.test(routeKey))
    throw new Fault("forbidden", "session_required", "This is for people: log in and use that token.");
  requireScope(actor, safe.has(requestContext.http.method) ? "read" : "write");
  return actor;
}

/** RFC 6750, section 2.1. */
function bearer(authorization: string): string {
  const token = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization)?.[1];
  if (!token)
    throw new Fault(
      "unauthenticated",
      "token_invalid",
      "The Authorization header must be: Bearer, then the token.",
    );
  return token;
}

/** A cookie is sent by the browser whoever asks for it; a page of another site must not act with it. */
function refuseCrossOrigin(headers: Call["event"]["headers"]): void {
  if (headers.origin === Config.appUrl() || headers["sec-fetch-site"] === "same-origin") return;
  throw new Fault(
    "forbidden",
    "cross_origin",
    "With the cookie, this call is only taken from the web client’s own pages.",
  );
}
