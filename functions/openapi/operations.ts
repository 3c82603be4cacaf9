import type { RouteKey } from "../routes.ts";

/** A capability of the API: what it does, and the operationId of each of its routes. Generated clients name methods by these ids. */
type Capability = { description: string; operations: Partial<Record<RouteKey, string>> };

/**
 * Every operation by capability (the tag) and by group of capabilities, in the order of the documentation. An id is a verb and a
 * noun in camel case, unique and stable: renaming one breaks generated clients.
 */
const groups: Record<string, Record<string, Capability>> = {
  Account: {
    "Sign-in": {
      description: "Sign in with a password, a passkey and second factors. Sign out.",
      operations: {
        "POST /auth/login": "login",
        "POST /auth/login/2fa": "completeLogin",
        "POST /auth/login/2fa/webauthn-options": "getLoginWebAuthnOptions",
        "POST /auth/passkey/options": "getPasskeyLoginOptions",
        "POST /auth/passkey": "loginWithPasskey",
        "POST /auth/emergency-bypass": "bypassIpAllowlist",
        "POST /auth/reauthenticate": "reauthenticate",
        "GET /auth/session": "getSessionStatus",
        "GET /auth/me": "getMe",
        "POST /auth/logout": "logout",
      },
    },
    Registration: {
      description:
        "Create an account, verify emails and reset forgotten passwords with links that are sent by email.",
      operations: {
        "POST /auth/register": "register",
        "POST /auth/email/verify": "verifyEmail",
        "POST /auth/email/confirm": "confirmEmailChange",
        "POST /auth/email/undo": "undoEmailChange",
        "POST /auth/password/forgot": "requestPasswordReset",
        "POST /auth/password/reset": "resetPassword",
      },
    },
    Profile: {
      description: "Your name, email, password and preferences. Export your data and delete your account.",
      operations: {
        "GET /user/profile": "getProfile",
        "PATCH /user/profile": "updateProfile",
        "PUT /user/email": "changeEmail",
        "PUT /user/password": "changePassword",
        "GET /user/export": "exportAccount",
        "DELETE /user": "deleteAccount",
      },
    },
    Avatar: {
      description:
        "Your profile picture. Responses contain a URL that is signed for each response and valid for seven days.",
      operations: {
        "POST /api/upload/avatar": "uploadAvatar",
        "DELETE /api/upload/avatar": "deleteAvatar",
        "DELETE /user/avatar": "deleteUserAvatar",
      },
    },
    "Second factors": {
      description: "Authenticator apps, passkeys, security keys and backup codes.",
      operations: {
        "GET /user/2fa": "getSecondFactors",
        "POST /user/2fa/totp": "setUpAuthenticatorApp",
        "POST /user/2fa/totp/verify": "confirmAuthenticatorApp",
        "DELETE /user/2fa/totp": "deleteAuthenticatorApp",
        "POST /user/2fa/webauthn/options": "getPasskeyRegistrationOptions",
        "POST /user/2fa/webauthn": "registerPasskey",
        "GET /user/2fa/webauthn": "listPasskeys",
        "DELETE /user/2fa/webauthn/{id}": "deletePasskey",
        "POST /user/2fa/backup-codes": "generateBackupCodes",
      },
    },
    "Sessions and devices": {
      description:
        "Where you are signed in, the devices that are recognized, past sign-ins and security settings.",
      operations: {
        "GET /user/sessions": "listSessions",
        "DELETE /user/sessions": "endOtherSessions",
        "DELETE /user/sessions/{id}": "endSession",
        "GET /user/devices": "listDevices",
        "PATCH /user/devices/{id}": "updateDevice",
        "DELETE /user/devices/{id}": "deleteDevice",
        "GET /user/login-history": "listLogins",
        "GET /user/security": "getSecuritySettings",
        "PATCH /user/security": "updateSecuritySettings",
      },
    },
    "API tokens": {
      description:
        "Tokens for scripts and integrations, each for one workspace and with the scopes that you choose.",
      operations: {
        "GET /user/tokens": "listApiTokens",
        "POST /user/tokens": "createApiToken",
        "DELETE /user/tokens/{id}": "deleteApiToken",
      },
    },
    Consent: {
      description: "The cookie policy and the choices of cookies.",
      operations: {
        "GET /api/v1/consents/policy": "getCookiePolicy",
        "POST /api/v1/consents": "createConsent",
        "GET /api/v1/consents/mine": "listConsents",
      },
    },
  },
  Workspace: {
    Workspaces: {
      description: "The workspaces that you belong to, and the settings of the current one.",
      operations: {
        "GET /workspaces": "listWorkspaces",
        "POST /workspaces": "createWorkspace",
        "POST /workspaces/{id}/leave": "leaveWorkspace",
        "POST /workspaces/{id}/transfer": "transferWorkspace",
        "GET /api/v1/workspace": "getWorkspace",
        "PATCH /api/v1/workspace": "updateWorkspace",
      },
    },
    Members: {
      description: "The members of the current workspace, their roles and status.",
      operations: {
        "GET /api/v1/workspace/members": "listMembers",
        "PATCH /api/v1/workspace/members/{userId}": "updateMember",
        "DELETE /api/v1/workspace/members/{userId}": "removeMember",
      },
    },
    Teams: {
      description: "Teams of a workspace, their members and the invitations to them.",
      operations: {
        "GET /team": "listTeams",
        "POST /team": "createTeam",
        "GET /team/{id}": "getTeam",
        "PATCH /team/{id}": "updateTeam",
        "DELETE /team/{id}": "deleteTeam",
        "GET /team/{id}/members": "listTeamMembers",
        "POST /team/{id}/members": "addTeamMember",
        "PATCH /team/{id}/members/{userId}": "updateTeamMember",
        "DELETE /team/{id}/members/{userId}": "removeTeamMember",
        "GET /team/{id}/invitations": "listInvitations",
        "POST /team/{id}/invitations": "createInvitation",
        "DELETE /team/{id}/invitations/{invitationId}": "revokeInvitation",
        "POST /auth/invitations/accept": "acceptInvitation",
      },
    },
    "Workspace security": {
      description:
        "The IP addresses that may use a workspace, and where its members sign in. ENTERPRISE plan.",
      operations: {
        "GET /api/v1/security/ip-allowlist": "getIpAllowlist",
        "PUT /api/v1/security/ip-allowlist": "replaceIpAllowlist",
        "GET /api/v1/security/login-map": "getLoginMap",
      },
    },
    "Audit log": {
      description:
        "What happened in a workspace, as a chain of entries that can be verified. ENTERPRISE plan.",
      operations: {
        "GET /api/v1/audit-logs": "listAuditEntries",
        "GET /api/v1/audit-logs/checkpoint": "getAuditCheckpoint",
      },
    },
  },
  "Time and money": {
    Projects: {
      description: "Projects with hourly rates and budgets.",
      operations: {
        "GET /api/v1/projects": "listProjects",
        "POST /api/v1/projects": "createProject",
        "GET /api/v1/projects/recent": "listRecentProjects",
        "GET /api/v1/projects/{id}": "getProject",
        "PATCH /api/v1/projects/{id}": "updateProject",
        "DELETE /api/v1/projects/{id}": "deleteProject",
        "POST /api/v1/projects/{id}/archive": "archiveProject",
        "POST /api/v1/projects/{id}/unarchive": "unarchiveProject",
        "GET /api/v1/projects/{id}/budget": "getProjectBudget",
      },
    },
    "Time entries": {
      description: "Tracked time: entries, the running timer, and changes to several entries at once.",
      operations: {
        "GET /api/v1/time-entries": "listTimeEntries",
        "POST /api/v1/time-entries": "createTimeEntry",
        "POST /api/v1/time-entries/start": "startTimer",
        "POST /api/v1/time-entries/stop": "stopTimer",
        "GET /api/v1/time-entries/running": "getRunningTimer",
        "GET /api/v1/time-entries/{id}": "getTimeEntry",
        "PATCH /api/v1/time-entries/{id}": "updateTimeEntry",
        "DELETE /api/v1/time-entries/{id}": "deleteTimeEntry",
        "PATCH /api/v1/time-entries": "updateTimeEntries",
        "POST /api/v1/time-entries/delete": "deleteTimeEntries",
        "POST /api/v1/time-entries/{id}/duplicate": "duplicateTimeEntry",
        "POST /api/v1/time-entries/{id}/split": "splitTimeEntry",
        "GET /api/v1/suggestions": "listSuggestions",
        "GET /api/v1/entries": "listEntries",
      },
    },
    Currencies: {
      description:
        "Currencies, exchange rates published by central banks, and overrides of them. ENTERPRISE plan.",
      operations: {
        "GET /api/v1/currencies": "listCurrencies",
        "GET /api/v1/currencies/{code}/rates": "listRates",
        "PUT /api/v1/currencies/{code}/override": "overrideRate",
        "DELETE /api/v1/currencies/{code}/override": "deleteRateOverride",
      },
    },
    Reports: {
      description: "Totals of tracked time and money, and report files as JSON, CSV, XLSX and PDF.",
      operations: {
        "GET /api/v1/reports/summary": "getSummaryReport",
        "GET /api/v1/reports/custom": "getCustomReport",
        "POST /api/v1/reports/generate": "generateReport",
        "GET /api/v1/reports/{id}": "getReport",
        "POST /api/v1/reports": "createReport",
      },
    },
  },
  Integration: {
    Webhooks: {
      description: "Endpoints that receive events of a workspace, and their deliveries. ENTERPRISE plan.",
      operations: {
        "GET /api/v1/webhooks": "listWebhooks",
        "POST /api/v1/webhooks": "createWebhook",
        "GET /api/v1/webhooks/events": "listWebhookEventTypes",
        "GET /api/v1/webhooks/{id}": "getWebhook",
        "PATCH /api/v1/webhooks/{id}": "updateWebhook",
        "DELETE /api/v1/webhooks/{id}": "deleteWebhook",
        "POST /api/v1/webhooks/{id}/rotate-secret": "rotateWebhookSecret",
        "POST /api/v1/webhooks/{id}/test": "testWebhook",
        "POST /api/v1/webhooks/{id}/recover": "recoverWebhook",
        "GET /api/v1/webhooks/{id}/deliveries": "listDeliveries",
        "GET /api/v1/webhooks/{id}/deliveries/{deliveryId}": "getDelivery",
        "POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/retry": "retryDelivery",
      },
    },
    Service: {
      description: "The health of the service and this document.",
      operations: {
        "GET /health": "getHealth",
        "HEAD /health": "checkHealth",
        "GET /openapi.json": "getOpenApiDocument",
        "HEAD /openapi.json": "checkOpenApiDocument",
      },
    },
  },
};

/** The tag of the requests that receivers of webhooks get. */
export const eventTag = {
  name: "Webhook events",
  description: "The requests that a webhook receives, signed as Standard Webhooks describes.",
};

/** The tags, in the order of the documentation. */
export const tags: readonly ({ name: string } & Capability)[] = Object.values(groups).flatMap(
  (capabilities) => Object.entries(capabilities).map(([name, capability]) => ({ name, ...capability })),
);

/** The groups of tags that viewers of the document show (`x-tagGroups`). */
export const tagGroups: readonly { name: string; tags: string[] }[] = Object.entries(groups).map(
  ([name, capabilities]) => ({
    name,
    tags: [...Object.keys(capabilities), ...(name === "Integration" ? [eventTag.name] : [])],
  }),
);

const operations = new Map(
  tags.flatMap(({ name, operations }) =>
    Object.entries(operations).map(([key, operationId]) => [key, { operationId, tags: [name] }] as const),
  ),
);

/** Returns the operationId and the tag of a route. Throws for a route that the table above does not have. */
export function operationOf(key: string): { operationId: string; tags: readonly string[] } {
  const operation = operations.get(key);
  if (!operation) throw new Error(`${key} has no operationId. Add it to functions/openapi/operations.ts.`);
  return operation;
}
