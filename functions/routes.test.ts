import { describe, expect, expectTypeOf, it } from "vitest";
import { jobs } from "./jobs.ts";
import { callerOf, groupOf, needsOf, type Route, type RouteGroup, type RouteKey, routes } from "./routes.ts";

const withCaller = (...callers: Route["caller"][]) =>
  Object.entries<Route>(routes)
    .filter(([, { caller }]) => callers.includes(caller))
    .map(([key]) => key);

describe("the caller of a route", () => {
  it("is required by the type", () => {
    expectTypeOf<{ handler: string }>().not.toExtend<Route>();
    expectTypeOf<{ handler: string; caller: undefined }>().not.toExtend<Route>();
    expectTypeOf<{ handler: string; caller: "session" }>().toExtend<Route>();
  });

  it("allows requests without a sign-in on these routes only", () => {
    expect(withCaller("anyone", "optional").sort()).toEqual([
      "$default",
      "GET /api/v1/consents/policy",
      "GET /auth/session",
      "GET /health",
      "GET /openapi.json",
      "HEAD /health",
      "HEAD /openapi.json",
      "POST /api/v1/consents",
      "POST /auth/email/confirm",
      "POST /auth/email/undo",
      "POST /auth/email/verify",
      "POST /auth/emergency-bypass",
      "POST /auth/login",
      "POST /auth/login/2fa",
      "POST /auth/login/2fa/webauthn-options",
      "POST /auth/passkey",
      "POST /auth/passkey/options",
      "POST /auth/password/forgot",
      "POST /auth/password/reset",
      "POST /auth/register",
    ]);
  });

  it.each([
    "POST /auth/reauthenticate",
    "POST /auth/invitations/accept",
    "DELETE /user",
    "GET /user/export",
    "DELETE /user/sessions",
    "PATCH /user/security",
    "POST /user/tokens",
    "DELETE /user/tokens/{id}",
    "PUT /user/email",
    "PUT /user/password",
    "DELETE /user/2fa/totp",
    "POST /user/2fa/backup-codes",
    "GET /workspaces",
    "POST /workspaces/{id}/leave",
    "POST /workspaces/{id}/transfer",
    "GET /api/v1/consents/mine",
  ] satisfies RouteKey[])("requires a session for %s", (key) => {
    expect(callerOf(key)).toBe("session");
  });

  it("is unknown for a route that is not in the table", () => {
    expect(callerOf("GET /nowhere")).toBeUndefined();
    expect(callerOf("toString")).toBeUndefined();
  });
});

describe("needsOf", () => {
  it("adds the database and the token keys for routes that read the sign-in", () => {
    expect(needsOf({ handler: "x", caller: "session", needs: ["mail"] })).toEqual([
      "database",
      "tokens",
      "mail",
    ]);
    expect(needsOf({ handler: "x", caller: "optional" })).toEqual(["database", "tokens"]);
    expect(needsOf({ handler: "x", caller: { token: "read" } })).toEqual(["database", "tokens"]);
  });

  it("adds nothing for public routes and jobs", () => {
    expect(needsOf({ handler: "x", caller: "anyone" })).toEqual([]);
    expect(needsOf(jobs["forecast-budgets"])).toEqual(["database", "queue"]);
  });
});

describe("groupOf", () => {
  const inGroup = (group: RouteGroup) =>
    Object.entries<Route>(routes)
      .filter(([key, route]) => groupOf(key, route) === group)
      .map(([key]) => key);

  it("puts every route that changes something for strangers into the group sign-in", () => {
    const open = withCaller("anyone").filter((key) => !/^(?:GET|HEAD) /.test(key) && key !== "$default");
    expect(inGroup("sign-in").sort()).toEqual(
      [...open, "POST /auth/reauthenticate", "PUT /user/password"].sort(),
    );
  });

  it("separates uploads and reports from reads and writes", () => {
    expect(inGroup("upload")).toEqual(["POST /api/upload/avatar"]);
    expect(inGroup("report")).toEqual([
      "GET /user/export",
      "POST /api/v1/reports/generate",
      "POST /api/v1/reports",
    ]);
    expect(inGroup("read")).toContain("GET /auth/me");
    expect(inGroup("write")).toContain("POST /api/v1/time-entries/start");
  });
});
