import * as Clock from "@svc/core/base/clock";
import { db } from "@svc/core/platform/db/engine";
import { withApp, wrongCode } from "@svc/core/testing/factors";
import {
  colleague,
  type Home,
  owner,
  type Person,
  password,
  person,
  reauthenticated,
} from "@svc/core/testing/people";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Handler } from "../../http/api.ts";
import { load } from "../../load.ts";
import { type RouteKey, requiresSignIn, routes } from "../../routes.ts";
import { american, chrome, japanese, swiss, swissToo } from "../../testing/browsers.ts";
import { mailServer } from "../../testing/mails.ts";
import { request } from "../../testing/request.ts";

const mails = mailServer();
const here = "192.0.2.10";
const elsewhere = "198.51.100.1";

beforeEach(() => {
  process.env.RATE_LIMITS = "off";
});
afterEach(() => {
  Clock.reset();
  delete process.env.RATE_LIMITS;
});

const put = (token: string, body: unknown, ip = here) =>
  request("PUT /api/v1/security/ip-allowlist", { token, body, ip });
/** Returns the SQL statements that are sent to the database during `work`. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const executor = db().getExecutor();
  const original = executor.executeQuery;
  const statements: string[] = [];
  Object.defineProperty(executor, "executeQuery", {
    configurable: true,
    value(query: { sql: string }, ...rest: unknown[]) {
      statements.push(query.sql);
      return Reflect.apply(original, executor, [query, ...rest]);
    },
  });
  await work().finally(() => Reflect.deleteProperty(executor, "executeQuery"));
  return statements;
}

const enabled = { enabled: true, entries: [{ cidr: "192.0.2.0/24", label: "Office" }] };

describe("/api/v1/security/ip-allowlist", () => {
  test("starts disabled and empty, and returns the entries in canonical form", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const get = () => request("GET /api/v1/security/ip-allowlist", { token: ada.token, ip: here });
    expect((await get()).body).toMatchObject({ enabled: false, entries: [], warnings: [] });
    const entries = [
      { cidr: "192.0.2.0/24", label: "Office" },
      { cidr: "2001:DB8:0::/48", label: "" },
      { cidr: "::ffff:198.51.100.7" },
    ];
    const answer = await put(ada.token, { enabled: true, entries });
    expect(answer.status).toBe(200);
    expect(answer.body.entries).toEqual([
      { cidr: "192.0.2.0/24", label: "Office" },
      { cidr: "2001:db8::/48", label: "" },
      { cidr: "198.51.100.7", label: "" },
    ]);
    expect((await get()).body).toEqual(answer.body);
  });

  test.each(["0.0.0.0/0", "::/0", "::ffff:0:0/96", "office", "192.0.2.0/33", "192.0.2.01", ""])(
    "returns 422 with a pointer for the entry %j",
    async (cidr) => {
      const ada = await owner("Ada", "ENTERPRISE");
      const answer = await put(ada.token, { enabled: true, entries: [...enabled.entries, { cidr }] });
      expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, "/entries/1/cidr"]);
    },
  );

  test("returns 409 would_lock_you_out for an enabled list without the caller's IP address", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    for (const entries of [enabled.entries, [], [{ cidr: "::/1" }]]) {
      const answer = await put(ada.token, { enabled: true, entries }, elsewhere);
      expect([answer.status, answer.body.code]).toEqual([409, "would_lock_you_out"]);
    }
    const get = await request("GET /api/v1/security/ip-allowlist", { token: ada.token, ip: elsewhere });
    expect(get.body.enabled).toBe(false);
    expect((await put(ada.token, { ...enabled, enabled: false }, elsewhere)).status).toBe(200);
  });

  test("requires the admin role and the ENTERPRISE plan", async () => {
    const [ada, free] = [await owner("Ada", "ENTERPRISE"), await owner("Fay", "FREE")];
    const bob = await colleague(ada, "manager");
    expect((await put(bob.token, enabled)).body.code).toBe("insufficient_role");
    const refused = await put(free.token, enabled);
    expect([refused.status, refused.body.code, refused.body.requiredPlan]).toEqual([
      403,
      "plan_upgrade_required",
      "ENTERPRISE",
    ]);
    const admin = await colleague(ada, "admin");
    expect((await put(admin.token, enabled)).status).toBe(200);
  });

  test("warns bypass_unavailable until an admin has a second factor", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const { body } = await put(ada.token, enabled);
    expect(body.warnings).toMatchObject([{ code: "bypass_unavailable" }]);
    await withApp(await colleague(ada));
    expect((await put(ada.token, enabled)).body.warnings).toHaveLength(1);
    await withApp(await colleague(ada, "admin"));
    const get = await request("GET /api/v1/security/ip-allowlist", { token: ada.token, ip: here });
    expect(get.body.warnings).toEqual([]);
  });

  test("records the change with the previous and the new list", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    await put(ada.token, enabled);
    const event = await db()
      .selectFrom("events")
      .selectAll()
      .where("action", "=", "security.ip_allowlist_changed")
      .where("workspace_id", "=", ada.workspaceId)
      .executeTakeFirstOrThrow();
    expect(event.changes).toEqual({
      enabled: { before: false, after: true },
      entries: { before: [], after: enabled.entries },
    });
  });
});

/** Routes that concern the caller's account and no workspace. */
const accountOnly = /^\w+ \/(?:auth\/|user(?:$|\/)|api\/upload\/|api\/v1\/consents|workspaces$)/;
const tokenRoutes: RouteKey[] = [];
const guarded: RouteKey[] = [];
for (const key of Object.keys(routes) as RouteKey[]) {
  const { steps } = (await load<Handler>(routes[key].handler)).contract;
  if (requiresSignIn(routes[key].caller)) tokenRoutes.push(key);
  if (steps.some(({ codes }) => codes?.forbidden?.includes("ip_not_allowed"))) guarded.push(key);
}

describe("an enabled IP allowlist", () => {
  test("applies to every route that concerns a workspace", () => {
    expect(guarded).toEqual(expect.arrayContaining(["GET /team", "GET /api/v1/audit-logs"]));
    expect(tokenRoutes.filter((route) => !guarded.includes(route) && !accountOnly.test(route))).toEqual([]);
  });

  test.each(guarded)(
    "%s returns 403 ip_not_allowed from outside the list but not from inside",
    async (route) => {
      const ada = await owner("Ada", "ENTERPRISE");
      await put(ada.token, enabled);
      const id = route.includes("/workspaces/")
        ? ada.workspaceId
        : route.includes("/team/")
          ? ada.teamId
          : "x";
      // Most routes check the list before the body. This one names the workspace in the body.
      const named = { name: "CI", scopes: ["read"], workspaceId: ada.workspaceId };
      const body = route === "POST /user/tokens" ? named : [];
      const ask = { token: ada.token, path: { id, code: "USD", userId: "x", invitationId: "x" }, body };
      const out = await request(route, { ...ask, ip: elsewhere });
      expect([out.status, out.body.code]).toEqual([403, "ip_not_allowed"]);
      const inside = await request(route, { ...ask, ip: `::ffff:${here}` });
      expect(inside.body?.code).not.toBe("ip_not_allowed");
    },
  );

  test("records each rejected request in the audit log as a failure", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    await put(ada.token, enabled);
    await request("GET /team", { token: ada.token, ip: elsewhere });
    const denied = await db()
      .selectFrom("events")
      .selectAll()
      .where("workspace_id", "=", ada.workspaceId)
      .where("action", "=", "security.ip_denied")
      .execute();
    expect(denied).toMatchObject([{ outcome: "failure", actor_id: ada.id, ip: elsewhere }]);
  });

  test("checks the membership, then the IP address, then the role", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const [bob, eve] = [await colleague(ada), await person()];
    await put(ada.token, enabled);
    const patch = (token: string) =>
      request("PATCH /team/{id}", { token, path: { id: ada.teamId }, body: { name: "" }, ip: elsewhere });
    expect((await patch(bob.token)).body.code).toBe("ip_not_allowed");
    expect((await patch(eve.token)).body.code).toBe("team_not_found");
  });

  test("ignores forwarding headers unless the router's secret is correct", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    await put(ada.token, enabled);
    const secret = "a secret that only the router knows";
    const claims = [
      { "x-forwarded-for": here },
      { "x-viewer-ip": here },
      { "x-viewer-ip": here, "x-origin-secret": "a guess as long as the secret itself" },
      { forwarded: `for=${here}`, "x-real-ip": here, "cloudfront-viewer-address": `${here}:1` },
    ];
    const refused = [];
    for (const ORIGIN_SECRET of ["", secret]) {
      process.env.ORIGIN_SECRET = ORIGIN_SECRET;
      for (const headers of claims)
        refused.push((await request("GET /team", { token: ada.token, ip: elsewhere, headers })).body.code);
    }
    const headers = { "x-viewer-ip": here, "x-origin-secret": secret };
    const routed = await request("GET /team", { token: ada.token, ip: elsewhere, headers });
    delete process.env.ORIGIN_SECRET;
    expect(refused).toEqual([...Array(4).fill("ip_not_allowed"), ...Array(4).fill("router_bypassed")]);
    expect(routed.status).toBe(200);
  });

  test("does not restrict the user's own account or other workspaces", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    await put(ada.token, enabled);
    const { body: other } = await request("POST /workspaces", { token: ada.token, body: { name: "Other" } });
    const headers = { "x-workspace-id": other.id };
    expect((await request("GET /team", { token: ada.token, ip: elsewhere, headers })).status).toBe(200);
    expect((await request("GET /auth/me", { token: ada.token, ip: elsewhere })).status).toBe(200);
  });

  test.each([
    ["a session token", ({ token }: Person) => token, "sessions"],
    ["an API token", apiToken, "api_tokens"],
  ])(
    "loads %s and the workspace with its allowlist and required second factor with one statement",
    async (_, as, table) => {
      const ada = await owner("Ada", "ENTERPRISE");
      await put(ada.token, enabled);
      await withApp(ada);
      const required = { token: ada.token, body: { requireTwoFactor: true }, ip: here };
      expect((await request("PATCH /api/v1/workspace", required)).status).toBe(200);
      const token = await as(ada);
      const list = () => request("GET /team", { token, ip: here });
      await list(); // The first call records that the token is in use.
      const statements = await statementsOf(list);
      expect(statements).toHaveLength(2);
      expect(statements[0]).toContain(`from "${table}"`);
      expect(statements[0]).toContain('join "memberships"');
      expect(statements[0]).toContain('"ip_allowlists"');
      expect(statements[0]).toContain('"webauthn_credentials"');
      expect(statements[1]).toContain('from "teams"');
      const own = await statementsOf(() => request("GET /user/security", { token: ada.token, ip: here }));
      expect(own).toHaveLength(2);
    },
  );
  async function apiToken(user: Person & Home): Promise<string> {
    const { token, workspaceId } = await reauthenticated(user);
    const body = { name: "CI", scopes: ["read"], workspaceId };
    return (await request("POST /user/tokens", { token, body, ip: here })).body.token;
  }

  test("does not apply after the workspace leaves the ENTERPRISE plan", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    await put(ada.token, enabled);
    await db().updateTable("workspaces").set({ plan: "PRO" }).where("id", "=", ada.workspaceId).execute();
    expect((await request("GET /team", { token: ada.token, ip: elsewhere })).status).toBe(200);
  });
});

describe("POST /auth/emergency-bypass", () => {
  type App = Awaited<ReturnType<typeof withApp>>;
  const reason = "The office is on fire";
  const ask = ({ email }: { email: string }, proof: object, more: object = {}) =>
    request("POST /auth/emergency-bypass", {
      ip: elsewhere,
      headers: { "user-agent": chrome },
      body: { email, password, reason, ...proof, ...more },
    });
  const totp = ({ code }: App) => ({ method: "totp", code: code(1) });
  const locked = async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    await put(ada.token, enabled);
    return ada;
  };

  test("allows an admin to bypass the list for sixty minutes", async () => {
    const ada = await locked();
    const admin = await colleague(ada, "admin");
    const entered = await ask(admin, totp(await withApp(admin)));
    expect([entered.status, entered.headers["cache-control"]]).toEqual([200, "no-store"]);
    const { token } = entered.body;
    const look = async () => (await request("GET /team", { token, ip: elsewhere })).status;
    expect(await look()).toBe(200);
    Clock.advance(60 * 60 - 5);
    expect(await look()).toBe(200);
    Clock.advance(6);
    expect(await look()).toBe(403);
    expect((await request("GET /auth/me", { token, ip: elsewhere })).status).toBe(200);
  });

  test("accepts a backup code once", async () => {
    const ada = await locked();
    const { backupCodes } = await withApp(ada);
    const proof = { method: "backup_code", code: backupCodes[0] };
    expect((await ask(ada, proof)).status).toBe(200);
    expect((await ask(ada, proof)).status).toBe(401);
  });

  test("does not bypass the list of a workspace in which the user is not an admin", async () => {
    const [ada, other] = [await locked(), await locked()];
    await db()
      .insertInto("memberships")
      .values({
        workspace_id: other.workspaceId,
        user_id: ada.id,
        role: "member",
        status: "active",
        joined_at: new Date(),
      })
      .execute();
    const { token } = (await ask(ada, totp(await withApp(ada)))).body;
    const headers = { "x-workspace-id": other.workspaceId };
    expect((await request("GET /team", { token, ip: elsewhere, headers })).body.code).toBe("ip_not_allowed");
  });

  test("emails every admin and records the reason in the audit log", async () => {
    const ada = await locked();
    const [admin, manager] = [await colleague(ada, "admin"), await colleague(ada, "manager")];
    await ask(admin, totp(await withApp(admin)));
    const emailsTo = ({ email }: Person) =>
      mails.to(email).filter(({ subject }) => subject?.startsWith("Emergency bypass"));
    expect([ada, admin, manager].map((user) => emailsTo(user).length)).toEqual([1, 1, 0]);
    const [mail] = emailsTo(ada);
    for (const part of [mail?.text, mail?.html]) {
      expect(part).toContain(reason);
      expect(part).toContain(elsewhere);
    }
    const event = await db()
      .selectFrom("events")
      .selectAll()
      .where("action", "=", "security.emergency_bypass")
      .where("workspace_id", "=", ada.workspaceId)
      .executeTakeFirstOrThrow();
    expect([event.actor_id, event.changes.reason]).toEqual([admin.id, { before: null, after: reason }]);
  });

  test("returns the same invalid_credentials for a wrong password, a wrong code and an unknown email", async () => {
    const ada = await locked();
    const app = await withApp(ada);
    const right = totp(app);
    const without = await locked();
    const answers = [
      await ask(ada, right, { password: "not the password" }),
      await ask(ada, { method: "totp", code: wrongCode(app) }),
      await ask(ada, { method: "backup_code", code: right.code }),
      await ask(without, right),
      await ask({ email: "unknown@nowhere.test" }, right),
    ];
    const bodies = answers.map(({ body: { requestId, ...rest } }) => JSON.stringify(rest));
    expect(new Set(bodies).size).toBe(1);
    expect(answers[0]?.body.code).toBe("invalid_credentials");
  });

  test("locks the account after five failures, for sign-in as well", async () => {
    const ada = await locked();
    const app = await withApp(ada);
    for (let n = 0; n < 5; n++) await ask(ada, { method: "totp", code: wrongCode(app) });
    expect((await ask(ada, totp(app))).body.code).toBe("account_temporarily_locked");
    const login = await request("POST /auth/login", { body: { email: ada.email, password } });
    expect(login.body.code).toBe("account_temporarily_locked");
  });

  test("returns 403 bypass_not_available to managers and when no list is enabled", async () => {
    const ada = await locked();
    const bob = await colleague(ada, "manager");
    const open = await owner("Olga", "ENTERPRISE");
    for (const user of [bob, open]) {
      const answer = await ask(user, totp(await withApp(user)));
      expect([answer.status, answer.body.code]).toEqual([403, "bypass_not_available"]);
    }
  });

  test("returns 422 for a reason that is too short", async () => {
    const ada = await locked();
    const answer = await ask(ada, { method: "totp", code: "123456" }, { reason: "please" });
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, "/reason"]);
  });
});

describe("GET /api/v1/security/login-map", () => {
  const login = ({ email }: Person, ip: string) =>
    request("POST /auth/login", { ip, headers: { "user-agent": chrome }, body: { email, password } });

  test("groups the workspace's sign-ins by location", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const [bob, eve] = [await colleague(ada), await person()];
    await login(ada, swiss);
    await login(bob, swissToo);
    await login(eve, american);
    await login(ada, "127.0.0.1");
    Clock.advance(60);
    await login(bob, japanese);
    const { status, body } = await request("GET /api/v1/security/login-map", { token: ada.token });
    expect([status, body.type]).toEqual([200, "FeatureCollection"]);
    expect(body.features).toMatchObject([
      {
        type: "Feature",
        geometry: { type: "Point", coordinates: [8.2, 46.8] },
        properties: { country: "CH", label: "Switzerland", count: 2, suspiciousCount: 0 },
      },
      { geometry: null, properties: { country: null, count: 1 } },
      { properties: { country: "JP", count: 1, suspiciousCount: 1 } },
    ]);
  });

  test("returns 403 to managers and to admins without the ENTERPRISE plan", async () => {
    const [ada, free] = [await owner("Ada", "ENTERPRISE"), await owner("Fay", "PRO")];
    const bob = await colleague(ada, "manager");
    const look = async (token: string) =>
      (await request("GET /api/v1/security/login-map", { token })).body.code;
    expect([await look(bob.token), await look(free.token)]).toEqual([
      "insufficient_role",
      "plan_upgrade_required",
    ]);
  });
});
