import type { TokenScope } from "@svc/core/base/token-scope";
import type { Need } from "@svc/core/platform/config/config";
import type { Job } from "./jobs.ts";

/**
 * The callers that a route accepts. `signedIn()` enforces all but "anyone".
 * - "anyone": does not read the sign-in.
 * - "optional": works with and without a session; rejects API tokens.
 * - "session": signed-in users; rejects API tokens.
 * - `token`: signed-in users, and API tokens of at least this scope.
 */
export type Caller = "anyone" | "optional" | "session" | { token: TokenScope };

/**
 * Groups of routes that have limits of the gateway, reserved concurrency and an alarm for slow responses in common. "sign-in"
 * are the routes that check or replace a password, a code or a link without a session, or a password within one.
 */
export const routeGroups = ["read", "write", "sign-in", "upload", "report"] as const;
export type RouteGroup = (typeof routeGroups)[number];

/**
 * An endpoint: the file under functions/ that exports its `handler`, its callers, and the resources that the function may
 * use.
 */
export type Route = {
  /** Path under functions/ without the extension. */
  handler: string;
  caller: Caller;
  /** Needs besides those that follow from `caller` (see `needsOf`). */
  needs?: readonly Need[];
  /** By default, it follows from the other properties (see `groupOf`). */
  group?: RouteGroup;
  /** The handler decodes images: sharp is deployed beside its bundle, and the function gets more memory. */
  sharp?: true;
  /** The handler computes for seconds rather than milliseconds, so its function gets a full vCPU. */
  heavy?: true;
};

/** Every endpoint. The stack deploys this list, the local server serves it, and the OpenAPI document describes it. */
export const routes = {
  "GET /health": { handler: "health", caller: "anyone", needs: ["database"] },
  "HEAD /health": { handler: "health", caller: "anyone", needs: ["database"] },
  "GET /openapi.json": { handler: "openapi/serve", caller: "anyone" },
  "HEAD /openapi.json": { handler: "openapi/serve", caller: "anyone" },

  "POST /auth/register": {
    handler: "auth/register",
    caller: "anyone",
    group: "sign-in",
    needs: ["database", "mail", "passwords"],
  },
  "POST /auth/email/verify": {
    handler: "auth/verify-email",
    caller: "anyone",
    group: "sign-in",
    needs: ["database", "tokens", "places"],
  },
  "POST /auth/email/confirm": {
    handler: "auth/confirm-email",
    caller: "anyone",
    group: "sign-in",
    needs: ["database"],
  },
  "POST /auth/email/undo": {
    handler: "auth/undo-email-change",
    caller: "anyone",
    group: "sign-in",
    needs: ["database", "mail"],
  },
  "POST /auth/login": {
    handler: "auth/login",
    caller: "anyone",
    group: "sign-in",
    needs: ["database", "tokens", "avatars:read", "mail", "places", "queue"],
  },
  "POST /auth/passkey/options": {
    handler: "auth/passkey/options",
    caller: "anyone",
    group: "sign-in",
    needs: ["tokens", "webauthn"],
  },
  "POST /auth/passkey": {
    handler: "auth/passkey/sign-in",
    caller: "anyone",
    group: "sign-in",
    needs: ["database", "tokens", "webauthn", "avatars:read", "mail", "places", "queue"],
  },
  "POST /auth/emergency-bypass": {
    handler: "auth/emergency-bypass",
    caller: "anyone",
    group: "sign-in",
    needs: ["database", "tokens", "encryption", "webauthn", "avatars:read", "mail", "places", "queue"],
  },
  "POST /auth/invitations/accept": { handler: "auth/invitations/accept", caller: "session" },
  "POST /auth/login/2fa": {
    handler: "auth/login-2fa",
    caller: "anyone",
    group: "sign-in",
    needs: ["database", "tokens", "encryption", "webauthn", "avatars:read", "mail", "places", "queue"],
  },
  "POST /auth/login/2fa/webauthn-options": {
    handler: "auth/login-2fa-webauthn-options",
    caller: "anyone",
    group: "sign-in",
    needs: ["database", "tokens", "webauthn"],
  },
  "POST /auth/logout": { handler: "auth/logout", caller: "session" },
  "GET /auth/session": { handler: "auth/session", caller: "optional" },
  "GET /auth/me": { handler: "auth/me", caller: "session", needs: ["avatars:read"] },

  "POST /auth/reauthenticate": {
    handler: "auth/reauthenticate",
    caller: "session",
    group: "sign-in",
    needs: ["webauthn"],
  },
  "POST /auth/password/forgot": {
    handler: "auth/password/forgot",
    caller: "anyone",
    group: "sign-in",
    needs: ["database", "mail"],
  },
  "POST /auth/password/reset": {
    handler: "auth/password/reset",
    caller: "anyone",
    group: "sign-in",
    needs: ["database", "mail", "passwords"],
  },

  "GET /user/profile": { handler: "user/profile/get", caller: { token: "read" }, needs: ["avatars:read"] },
  "PATCH /user/profile": {
    handler: "user/profile/update",
    caller: { token: "write" },
    needs: ["avatars:read"],
  },
  "DELETE /user": { handler: "user/remove", caller: "session", needs: ["avatars:write"] },
  "GET /user/export": { handler: "user/export", caller: "session", group: "report", needs: ["avatars:read"] },
  "GET /user/sessions": { handler: "user/sessions/list", caller: "session" },
  "DELETE /user/sessions": { handler: "user/sessions/remove-others", caller: "session" },
  "DELETE /user/sessions/{id}": { handler: "user/sessions/remove", caller: "session" },
  "GET /user/devices": { handler: "user/devices/list", caller: "session" },
  "PATCH /user/devices/{id}": { handler: "user/devices/update", caller: "session" },
  "DELETE /user/devices/{id}": { handler: "user/devices/remove", caller: "session" },
  "GET /user/login-history": { handler: "user/login-history", caller: "session" },
  "GET /user/security": { handler: "user/security/get", caller: "session" },
  "PATCH /user/security": { handler: "user/security/update", caller: "session" },
  "GET /user/tokens": { handler: "user/tokens/list", caller: "session" },
  "POST /user/tokens": { handler: "user/tokens/create", caller: "session", needs: ["mail"] },
  "DELETE /user/tokens/{id}": { handler: "user/tokens/remove", caller: "session" },
  "PUT /user/email": { handler: "user/email", caller: "session", needs: ["mail"] },
  "PUT /user/password": {
    handler: "user/password",
    caller: "session",
    group: "sign-in",
    needs: ["mail", "passwords"],
  },
  "GET /user/2fa": { handler: "user/2fa/get", caller: "session" },
  "POST /user/2fa/totp": { handler: "user/2fa/totp/begin", caller: "session", needs: ["encryption"] },
  "POST /user/2fa/totp/verify": {
    handler: "user/2fa/totp/verify",
    caller: "session",
    needs: ["encryption", "mail"],
  },
  "DELETE /user/2fa/totp": { handler: "user/2fa/totp/remove", caller: "session", needs: ["mail"] },
  "POST /user/2fa/webauthn/options": {
    handler: "user/2fa/webauthn/options",
    caller: "session",
    needs: ["webauthn"],
  },
  "POST /user/2fa/webauthn": {
    handler: "user/2fa/webauthn/register",
    caller: "session",
    needs: ["webauthn", "mail"],
  },
  "GET /user/2fa/webauthn": { handler: "user/2fa/webauthn/list", caller: "session", needs: ["webauthn"] },
  "DELETE /user/2fa/webauthn/{id}": {
    handler: "user/2fa/webauthn/remove",
    caller: "session",
    needs: ["mail"],
  },
  "POST /user/2fa/backup-codes": { handler: "user/2fa/backup-codes", caller: "session", needs: ["mail"] },

  "POST /api/upload/avatar": {
    handler: "upload/avatar",
    caller: { token: "write" },
    needs: ["avatars:write"],
    sharp: true,
  },
  "DELETE /api/upload/avatar": {
    handler: "upload/remove-avatar",
    caller: { token: "write" },
    needs: ["avatars:write"],
  },
  "DELETE /user/avatar": {
    handler: "upload/remove-avatar",
    caller: { token: "write" },
    needs: ["avatars:write"],
  },

  "GET /workspaces": { handler: "workspaces/list", caller: "session" },
  "POST /workspaces": { handler: "workspaces/create", caller: "session" },
  "POST /workspaces/{id}/leave": { handler: "workspaces/leave", caller: "session" },
  "POST /workspaces/{id}/transfer": { handler: "workspaces/transfer", caller: "session" },

  "GET /team": { handler: "team/list", caller: { token: "read" } },
  "POST /team": { handler: "team/create", caller: { token: "admin" } },
  "GET /team/{id}": { handler: "team/get", caller: { token: "read" } },
  "PATCH /team/{id}": { handler: "team/update", caller: { token: "write" } },
  "DELETE /team/{id}": { handler: "team/remove", caller: { token: "admin" } },
  "GET /team/{id}/members": {
    handler: "team/members/list",
    caller: { token: "read" },
    needs: ["avatars:read"],
  },
  "POST /team/{id}/members": {
    handler: "team/members/add",
    caller: { token: "admin" },
    needs: ["avatars:read"],
  },
  "PATCH /team/{id}/members/{userId}": {
    handler: "team/members/update",
    caller: { token: "admin" },
    needs: ["avatars:read"],
  },
  "DELETE /team/{id}/members/{userId}": { handler: "team/members/remove", caller: { token: "admin" } },

  "GET /team/{id}/invitations": { handler: "team/invitations/list", caller: { token: "read" } },
  "POST /team/{id}/invitations": {
    handler: "team/invitations/create",
    caller: { token: "admin" },
    needs: ["mail"],
  },
  "DELETE /team/{id}/invitations/{invitationId}": {
    handler: "team/invitations/remove",
    caller: { token: "admin" },
  },

  "GET /api/v1/security/ip-allowlist": {
    handler: "v1/security/ip-allowlist/get",
    caller: { token: "admin" },
  },
  "PUT /api/v1/security/ip-allowlist": {
    handler: "v1/security/ip-allowlist/put",
    caller: { token: "admin" },
  },
  "GET /api/v1/security/login-map": { handler: "v1/security/login-map", caller: { token: "admin" } },

  "GET /api/v1/workspace": { handler: "v1/workspace/get", caller: { token: "read" } },
  "PATCH /api/v1/workspace": { handler: "v1/workspace/update", caller: { token: "admin" }, needs: ["queue"] },
  "GET /api/v1/workspace/members": {
    handler: "v1/workspace/members/list",
    caller: { token: "read" },
    needs: ["avatars:read"],
  },
  "PATCH /api/v1/workspace/members/{userId}": {
    handler: "v1/workspace/members/update",
    caller: { token: "admin" },
    needs: ["avatars:read"],
  },
  "DELETE /api/v1/workspace/members/{userId}": {
    handler: "v1/workspace/members/remove",
    caller: { token: "admin" },
    needs: ["mail"],
  },
  "GET /api/v1/currencies": { handler: "v1/currencies/list", caller: { token: "read" } },
  "GET /api/v1/currencies/{code}/rates": { handler: "v1/currencies/rates", caller: { token: "read" } },
  "PUT /api/v1/currencies/{code}/override": {
    handler: "v1/currencies/override",
    caller: { token: "admin" },
    needs: ["queue"],
  },
  "DELETE /api/v1/currencies/{code}/override": {
    handler: "v1/currencies/remove-override",
    caller: { token: "admin" },
    needs: ["queue"],
  },

  "GET /api/v1/projects": { handler: "v1/projects/list", caller: { token: "read" } },
  "POST /api/v1/projects": { handler: "v1/projects/create", caller: { token: "write" } },
  "GET /api/v1/projects/recent": { handler: "v1/projects/recent", caller: { token: "read" } },
  "GET /api/v1/projects/{id}": { handler: "v1/projects/get", caller: { token: "read" } },
  "PATCH /api/v1/projects/{id}": { handler: "v1/projects/update", caller: { token: "write" } },
  "DELETE /api/v1/projects/{id}": { handler: "v1/projects/remove", caller: { token: "write" } },
  "POST /api/v1/projects/{id}/archive": {
    handler: "v1/projects/archive",
    caller: { token: "write" },
    needs: ["queue"],
  },
  "POST /api/v1/projects/{id}/unarchive": { handler: "v1/projects/unarchive", caller: { token: "write" } },
  "GET /api/v1/projects/{id}/budget": { handler: "v1/projects/budget", caller: { token: "read" } },

  "GET /api/v1/time-entries": {
    handler: "v1/time-entries/list",
    caller: { token: "read" },
    needs: ["avatars:read"],
  },
  "POST /api/v1/time-entries": {
    handler: "v1/time-entries/create",
    caller: { token: "write" },
    needs: ["avatars:read", "queue"],
  },
  "POST /api/v1/time-entries/start": {
    handler: "v1/time-entries/start",
    caller: { token: "write" },
    needs: ["avatars:read", "queue"],
  },
  "POST /api/v1/time-entries/stop": {
    handler: "v1/time-entries/stop",
    caller: { token: "write" },
    needs: ["avatars:read", "queue"],
  },
  "GET /api/v1/time-entries/running": {
    handler: "v1/time-entries/running",
    caller: { token: "read" },
    needs: ["avatars:read"],
  },
  "GET /api/v1/time-entries/{id}": {
    handler: "v1/time-entries/get",
    caller: { token: "read" },
    needs: ["avatars:read"],
  },
  "PATCH /api/v1/time-entries/{id}": {
    handler: "v1/time-entries/update",
    caller: { token: "write" },
    needs: ["avatars:read", "queue"],
  },
  "DELETE /api/v1/time-entries/{id}": { handler: "v1/time-entries/remove", caller: { token: "write" } },
  "PATCH /api/v1/time-entries": {
    handler: "v1/time-entries/update-many",
    caller: { token: "write" },
    needs: ["avatars:read", "queue"],
  },
  "POST /api/v1/time-entries/delete": { handler: "v1/time-entries/remove-many", caller: { token: "write" } },
  "POST /api/v1/time-entries/{id}/duplicate": {
    handler: "v1/time-entries/duplicate",
    caller: { token: "write" },
    needs: ["avatars:read", "queue"],
  },
  "POST /api/v1/time-entries/{id}/split": {
    handler: "v1/time-entries/split",
    caller: { token: "write" },
    needs: ["avatars:read", "queue"],
  },
  "GET /api/v1/suggestions": { handler: "v1/suggestions/list", caller: { token: "read" } },
  "GET /api/v1/entries": { handler: "v1/entries/list", caller: { token: "read" }, needs: ["avatars:read"] },

  "GET /api/v1/reports/summary": { handler: "v1/reports/summary", caller: { token: "read" } },
  "GET /api/v1/reports/custom": { handler: "v1/reports/custom", caller: { token: "read" } },

  "POST /api/v1/reports/generate": {
    handler: "v1/reports/generate",
    caller: { token: "write" },
    needs: ["files:write", "documents"],
    heavy: true,
  },
  "GET /api/v1/reports/{id}": { handler: "v1/reports/get", caller: { token: "read" }, needs: ["files:read"] },
  "POST /api/v1/reports": {
    handler: "v1/reports/create",
    caller: { token: "write" },
    needs: ["files:write", "documents"],
    heavy: true,
  },

  "GET /api/v1/audit-logs": {
    handler: "v1/audit-logs/list",
    caller: { token: "admin" },
    needs: ["avatars:read"],
  },
  "GET /api/v1/audit-logs/checkpoint": { handler: "v1/audit-logs/checkpoint", caller: { token: "admin" } },
  "GET /api/v1/webhooks": { handler: "v1/webhooks/list", caller: { token: "admin" }, needs: ["encryption"] },
  "POST /api/v1/webhooks": {
    handler: "v1/webhooks/create",
    caller: { token: "admin" },
    needs: ["encryption"],
  },
  "GET /api/v1/webhooks/events": { handler: "v1/webhooks/events", caller: { token: "admin" } },
  "GET /api/v1/webhooks/{id}": {
    handler: "v1/webhooks/get",
    caller: { token: "admin" },
    needs: ["encryption"],
  },
  "PATCH /api/v1/webhooks/{id}": {
    handler: "v1/webhooks/update",
    caller: { token: "admin" },
    needs: ["encryption"],
  },
  "DELETE /api/v1/webhooks/{id}": {
    handler: "v1/webhooks/remove",
    caller: { token: "admin" },
    needs: ["encryption"],
  },
  "POST /api/v1/webhooks/{id}/rotate-secret": {
    handler: "v1/webhooks/rotate-secret",
    caller: { token: "admin" },
    needs: ["encryption"],
  },
  "POST /api/v1/webhooks/{id}/test": {
    handler: "v1/webhooks/test",
    caller: { token: "admin" },
    needs: ["queue"],
  },
  "POST /api/v1/webhooks/{id}/recover": {
    handler: "v1/webhooks/recover",
    caller: { token: "admin" },
    needs: ["queue"],
  },
  "GET /api/v1/webhooks/{id}/deliveries": {
    handler: "v1/webhooks/deliveries/list",
    caller: { token: "admin" },
  },
  "GET /api/v1/webhooks/{id}/deliveries/{deliveryId}": {
    handler: "v1/webhooks/deliveries/get",
    caller: { token: "admin" },
  },
  "POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/retry": {
    handler: "v1/webhooks/deliveries/retry",
    caller: { token: "admin" },
    needs: ["queue"],
  },

  "GET /api/v1/consents/policy": { handler: "v1/consents/policy", caller: "anyone" },
  "POST /api/v1/consents": { handler: "v1/consents/create", caller: "optional" },
  "GET /api/v1/consents/mine": { handler: "v1/consents/mine", caller: "session" },

  // All other requests: 404, 405 with Allow, and CORS preflights.
  $default: { handler: "fallback", caller: "anyone", group: "read" },
} as const satisfies Record<string, Route>;

export type RouteKey = keyof typeof routes;

/** Returns who may call the route with this key of API Gateway, or undefined if no such route exists. */
export function callerOf(routeKey: string): Caller | undefined {
  return Object.hasOwn(routes, routeKey) ? routes[routeKey as RouteKey].caller : undefined;
}

/** Returns whether a route rejects requests without a session or an API token. */
export function requiresSignIn(caller: Caller): boolean {
  return caller !== "anyone" && caller !== "optional";
}

/** Returns a route's group: its own, "upload" if it decodes images, "report" if it computes for seconds, or by its method. */
export function groupOf(key: string, { group, sharp, heavy }: Route): RouteGroup {
  if (group) return group;
  if (sharp) return "upload";
  if (heavy) return "report";
  return /^(?:GET|HEAD) /.test(key) ? "read" : "write";
}

/** Returns everything a function may use. A route that reads the sign-in needs the database and the token keys. */
export function needsOf(line: Route | Job): Need[] {
  const signIn: Need[] = "caller" in line && line.caller !== "anyone" ? ["database", "tokens"] : [];
  return [...signIn, ...(line.needs ?? [])];
}
