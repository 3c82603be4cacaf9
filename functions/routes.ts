import type { Need } from "@svc/core/platform/config/config";

/** One endpoint: the file under functions/ whose `handler` answers it, and what that function may touch. */
export type Route = {
  /** Path under functions/ without the extension. */
  handler: string;
  needs: readonly Need[];
  /** The handler decodes pictures: sharp travels beside its bundle, and it gets the memory for it. */
  sharp?: true;
  /** It works for seconds rather than milliseconds, so it gets a whole processor. */
  heavy?: true;
};

/** Every endpoint, once. The stack deploys this list, the local server serves it, the OpenAPI document describes it. */
export const routes = {
  "GET /health": { handler: "health", needs: ["database"] },
  "GET /openapi.json": { handler: "openapi/serve", needs: [] },

  "POST /auth/register": { handler: "auth/register", needs: ["database", "mail"] },
  "POST /auth/email/verify": {
    handler: "auth/verify-email",
    needs: ["database", "tokens", "places"],
  },
  "POST /auth/login": {
    handler: "auth/login",
    needs: ["database", "tokens", "avatars:read", "mail", "places", "queue"],
  },
  "POST /auth/emergency-bypass": {
    handler: "auth/emergency-bypass",
    needs: ["database", "tokens", "encryption", "avatars:read", "mail", "places", "queue"],
  },
  "POST /auth/invitations/accept": { handler: "auth/invitations/accept", needs: ["database", "tokens"] },
  "POST /auth/login/2fa": {
    handler: "auth/login-2fa",
    needs: ["database", "tokens", "encryption", "webauthn", "avatars:read", "mail", "places", "queue"],
  },
  "POST /auth/login/2fa/webauthn-options": {
    handler: "auth/login-2fa-webauthn-options",
    needs: ["database", "tokens", "webauthn"],
  },
  "POST /auth/logout": { handler: "auth/logout", needs: ["database", "tokens"] },
  "GET /auth/session": { handler: "auth/session", needs: ["database", "tokens"] },
  "GET /auth/me": { handler: "auth/me", needs: ["database", "tokens", "avatars:read"] },

  "POST /auth/reauthenticate": { handler: "auth/reauthenticate", needs: ["database", "tokens"] },
  "POST /auth/password/forgot": { handler: "auth/password/forgot", needs: ["database", "mail"] },
  "POST /auth/password/reset": { handler: "auth/password/reset", needs: ["database", "mail"] },

  "GET /user/profile": { handler: "user/profile/get", needs: ["database", "tokens", "avatars:read"] },
  "PATCH /user/profile": { handler: "user/profile/update", needs: ["database", "tokens", "avatars:read"] },
  "DELETE /user": { handler: "user/remove", needs: ["database", "tokens", "avatars:write"] },
  "GET /user/export": { handler: "user/export", needs: ["database", "tokens", "avatars:read"] },
  "GET /user/sessions": { handler: "user/sessions/list", needs: ["database", "tokens"] },
  "DELETE /user/sessions": { handler: "user/sessions/remove-others", needs: ["database", "tokens"] },
  "DELETE /user/sessions/{id}": { handler: "user/sessions/remove", needs: ["database", "tokens"] },
  "GET /user/devices": { handler: "user/devices/list", needs: ["database", "tokens"] },
  "PATCH /user/devices/{id}": { handler: "user/devices/update", needs: ["database", "tokens"] },
  "DELETE /user/devices/{id}": { handler: "user/devices/remove", needs: ["database", "tokens"] },
  "GET /user/login-history": { handler: "user/login-history", needs: ["database", "tokens"] },
  "GET /user/security": { handler: "user/security/get", needs: ["database", "tokens"] },
  "PATCH /user/security": { handler: "user/security/update", needs: ["database", "tokens"] },
  "GET /user/tokens": { handler: "user/tokens/list", needs: ["database", "tokens"] },
  "POST /user/tokens": { handler: "user/tokens/create", needs: ["database", "tokens"] },
  "DELETE /user/tokens/{id}": { handler: "user/tokens/remove", needs: ["database", "tokens"] },
  "PUT /user/password": { handler: "user/password", needs: ["database", "tokens", "mail"] },
  "GET /user/2fa": { handler: "user/2fa/get", needs: ["database", "tokens"] },
  "POST /user/2fa/totp": { handler: "user/2fa/totp/begin", needs: ["database", "tokens", "encryption"] },
  "POST /user/2fa/totp/verify": {
    handler: "user/2fa/totp/verify",
    needs: ["database", "tokens", "encryption", "mail"],
  },
  "DELETE /user/2fa/totp": { handler: "user/2fa/totp/remove", needs: ["database", "tokens", "mail"] },
  "POST /user/2fa/webauthn/options": {
    handler: "user/2fa/webauthn/options",
    needs: ["database", "tokens", "webauthn"],
  },
  "POST /user/2fa/webauthn": {
    handler: "user/2fa/webauthn/register",
    needs: ["database", "tokens", "webauthn", "mail"],
  },
  "GET /user/2fa/webauthn": { handler: "user/2fa/webauthn/list", needs: ["database", "tokens"] },
  "DELETE /user/2fa/webauthn/{id}": {
    handler: "user/2fa/webauthn/remove",
    needs: ["database", "tokens", "mail"],
  },
  "POST /user/2fa/backup-codes": { handler: "user/2fa/backup-codes", needs: ["database", "tokens", "mail"] },

  "POST /api/upload/avatar": {
    handler: "upload/avatar",
    needs: ["database", "tokens", "avatars:write"],
    sharp: true,
  },
  "DELETE /api/upload/avatar": {
    handler: "upload/remove-avatar",
    needs: ["database", "tokens", "avatars:write"],
  },
  "DELETE /user/avatar": { handler: "upload/remove-avatar", needs: ["database", "tokens", "avatars:write"] },

  "GET /workspaces": { handler: "workspaces/list", needs: ["database", "tokens"] },
  "POST /workspaces": { handler: "workspaces/create", needs: ["database", "tokens"] },
  "POST /workspaces/{id}/leave": { handler: "workspaces/leave", needs: ["database", "tokens"] },
  "POST /workspaces/{id}/transfer": { handler: "workspaces/transfer", needs: ["database", "tokens"] },

  "GET /team": { handler: "team/list", needs: ["database", "tokens"] },
  "POST /team": { handler: "team/create", needs: ["database", "tokens"] },
  "GET /team/{id}": { handler: "team/get", needs: ["database", "tokens"] },
  "PATCH /team/{id}": { handler: "team/update", needs: ["database", "tokens"] },
  "DELETE /team/{id}": { handler: "team/remove", needs: ["database", "tokens"] },
  "GET /team/{id}/members": { handler: "team/members/list", needs: ["database", "tokens", "avatars:read"] },
  "POST /team/{id}/members": { handler: "team/members/add", needs: ["database", "tokens", "avatars:read"] },
  "PATCH /team/{id}/members/{userId}": {
    handler: "team/members/update",
    needs: ["database", "tokens", "avatars:read"],
  },
  "DELETE /team/{id}/members/{userId}": { handler: "team/members/remove", needs: ["database", "tokens"] },

  "GET /team/{id}/invitations": { handler: "team/invitations/list", needs: ["database", "tokens"] },
  "POST /team/{id}/invitations": {
    handler: "team/invitations/create",
    needs: ["database", "tokens", "mail"],
  },
  "DELETE /team/{id}/invitations/{invitationId}": {
    handler: "team/invitations/remove",
    needs: ["database", "tokens"],
  },

  "GET /api/v1/security/ip-allowlist": {
    handler: "v1/security/ip-allowlist/get",
    needs: ["database", "tokens"],
  },
  "PUT /api/v1/security/ip-allowlist": {
    handler: "v1/security/ip-allowlist/put",
    needs: ["database", "tokens"],
  },
  "GET /api/v1/security/login-map": { handler: "v1/security/login-map", needs: ["database", "tokens"] },

  "GET /api/v1/workspace": { handler: "v1/workspace/get", needs: ["database", "tokens"] },
  "PATCH /api/v1/workspace": { handler: "v1/workspace/update", needs: ["database", "tokens", "queue"] },
  "GET /api/v1/workspace/members": {
    handler: "v1/workspace/members",
    needs: ["database", "tokens", "avatars:read"],
  },
  "GET /api/v1/currencies": { handler: "v1/currencies/list", needs: ["database", "tokens"] },
  "GET /api/v1/currencies/{code}/rates": { handler: "v1/currencies/rates", needs: ["database", "tokens"] },
  "PUT /api/v1/currencies/{code}/override": {
    handler: "v1/currencies/override",
    needs: ["database", "tokens", "queue"],
  },
  "DELETE /api/v1/currencies/{code}/override": {
    handler: "v1/currencies/remove-override",
    needs: ["database", "tokens", "queue"],
  },

  "GET /api/v1/projects": { handler: "v1/projects/list", needs: ["database", "tokens"] },
  "POST /api/v1/projects": { handler: "v1/projects/create", needs: ["database", "tokens"] },
  "GET /api/v1/projects/recent": { handler: "v1/projects/recent", needs: ["database", "tokens"] },
  "GET /api/v1/projects/{id}": { handler: "v1/projects/get", needs: ["database", "tokens"] },
  "PATCH /api/v1/projects/{id}": { handler: "v1/projects/update", needs: ["database", "tokens"] },
  "DELETE /api/v1/projects/{id}": { handler: "v1/projects/remove", needs: ["database", "tokens"] },
  "POST /api/v1/projects/{id}/archive": {
    handler: "v1/projects/archive",
    needs: ["database", "tokens", "queue"],
  },
  "POST /api/v1/projects/{id}/unarchive": { handler: "v1/projects/unarchive", needs: ["database", "tokens"] },
  "GET /api/v1/projects/{id}/budget": { handler: "v1/projects/budget", needs: ["database", "tokens"] },

  "GET /api/v1/time-entries": {
    handler: "v1/time-entries/list",
    needs: ["database", "tokens", "avatars:read"],
  },
  "POST /api/v1/time-entries": {
    handler: "v1/time-entries/create",
    needs: ["database", "tokens", "avatars:read", "queue"],
  },
  "POST /api/v1/time-entries/start": {
    handler: "v1/time-entries/start",
    needs: ["database", "tokens", "avatars:read"],
  },
  "POST /api/v1/time-entries/stop": {
    handler: "v1/time-entries/stop",
    needs: ["database", "tokens", "avatars:read", "queue"],
  },
  "GET /api/v1/time-entries/running": {
    handler: "v1/time-entries/running",
    needs: ["database", "tokens", "avatars:read"],
  },
  "GET /api/v1/time-entries/{id}": {
    handler: "v1/time-entries/get",
    needs: ["database", "tokens", "avatars:read"],
  },
  "PATCH /api/v1/time-entries/{id}": {
    handler: "v1/time-entries/update",
    needs: ["database", "tokens", "avatars:read", "queue"],
  },
  "DELETE /api/v1/time-entries/{id}": { handler: "v1/time-entries/remove", needs: ["database", "tokens"] },
  "GET /api/v1/entries": { handler: "v1/entries/list", needs: ["database", "tokens", "avatars:read"] },

  "GET /api/v1/reports/summary": { handler: "v1/reports/summary", needs: ["database", "tokens"] },
  "GET /api/v1/reports/custom": { handler: "v1/reports/custom", needs: ["database", "tokens"] },

  "POST /api/v1/reports/generate": {
    handler: "v1/reports/generate",
    needs: ["database", "tokens", "files:write", "documents"],
    heavy: true,
  },
  "GET /api/v1/reports/{id}": { handler: "v1/reports/get", needs: ["database", "tokens", "files:read"] },
  "POST /api/v1/reports": {
    handler: "v1/reports/create",
    needs: ["database", "tokens", "files:write", "documents"],
    heavy: true,
  },

  "GET /api/v1/audit-logs": { handler: "v1/audit-logs/list", needs: ["database", "tokens", "avatars:read"] },
  "GET /api/v1/webhooks": { handler: "v1/webhooks/list", needs: ["database", "tokens", "encryption"] },
  "POST /api/v1/webhooks": { handler: "v1/webhooks/create", needs: ["database", "tokens", "encryption"] },
  "GET /api/v1/webhooks/events": { handler: "v1/webhooks/events", needs: ["database", "tokens"] },
  "GET /api/v1/webhooks/{id}": { handler: "v1/webhooks/get", needs: ["database", "tokens", "encryption"] },
  "PATCH /api/v1/webhooks/{id}": {
    handler: "v1/webhooks/update",
    needs: ["database", "tokens", "encryption"],
  },
  "DELETE /api/v1/webhooks/{id}": { handler: "v1/webhooks/remove", needs: ["database", "tokens"] },
  "POST /api/v1/webhooks/{id}/rotate-secret": {
    handler: "v1/webhooks/rotate-secret",
    needs: ["database", "tokens", "encryption"],
  },
  "POST /api/v1/webhooks/{id}/test": { handler: "v1/webhooks/test", needs: ["database", "tokens", "queue"] },
  "POST /api/v1/webhooks/{id}/recover": {
    handler: "v1/webhooks/recover",
    needs: ["database", "tokens", "queue"],
  },
  "GET /api/v1/webhooks/{id}/deliveries": {
    handler: "v1/webhooks/deliveries/list",
    needs: ["database", "tokens"],
  },
  "GET /api/v1/webhooks/{id}/deliveries/{deliveryId}": {
    handler: "v1/webhooks/deliveries/get",
    needs: ["database", "tokens"],
  },
  "POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/retry": {
    handler: "v1/webhooks/deliveries/retry",
    needs: ["database", "tokens", "queue"],
  },

  "GET /api/v1/consents/policy": { handler: "v1/consents/policy", needs: [] },
  "POST /api/v1/consents": { handler: "v1/consents/create", needs: ["database", "tokens"] },
  "GET /api/v1/consents/mine": { handler: "v1/consents/mine", needs: ["database", "tokens"] },

  // Whatever no line above answers: 404, 405 with Allow, and the browser's preflight.
  $default: { handler: "fallback", needs: [] },
} as const satisfies Record<string, Route>;

export type RouteKey = keyof typeof routes;
