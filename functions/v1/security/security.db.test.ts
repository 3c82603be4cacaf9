import * as Bypass from "@svc/core/account/emergency-bypass";
import * as Clock from "@svc/core/clock/clock";
import { db } from "@svc/core/db/engine";
import type { SecondFactors } from "@svc/core/security/emergency-factors";
import * as IpAllowlist from "@svc/core/security/ip-allowlist";
import { colleague, type Home, owner, type Person, password, person } from "@svc/core/testing/people";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RouteKey } from "../../routes.ts";
import { american, chrome, japanese, swiss, swissToo } from "../../testing/browsers.ts";
import { catchMails } from "../../testing/mails.ts";
import { type Ask, request } from "../../testing/request.ts";

const mails = catchMails();
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
/** The statements that are sent to the database meanwhile. */
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

describe("the address list", () => {
  test("is off and empty at first, and is shown as it was set", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const get = () => request("GET /api/v1/security/ip-allowlist", { token: ada.token, ip: here });
    expect((await get()).body).toEqual({ enabled: false, entries: [], warnings: [] });
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
    "%j is 422 with its pointer",
    async (cidr) => {
      const ada = await owner("Ada", "ENTERPRISE");
      const answer = await put(ada.token, { enabled: true, entries: [...enabled.entries, { cidr }] });
      expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, "/entries/1/cidr"]);
    },
  );

  test("that would lock the caller out is 409 and changes nothing; off it may hold anything", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    for (const entries of [enabled.entries, [], [{ cidr: "::/1" }]]) {
      const answer = await put(ada.token, { enabled: true, entries }, elsewhere);
      expect([answer.status, answer.body.code]).toEqual([409, "would_lock_you_out"]);
    }
    const get = await request("GET /api/v1/security/ip-allowlist", { token: ada.token, ip: elsewhere });
    expect(get.body.enabled).toBe(false);
    expect((await put(ada.token, { ...enabled, enabled: false }, elsewhere)).status).toBe(200);
  });

  test("is for admins of an ENTERPRISE workspace", async () => {
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

  test("warns while no admin has a second factor, and only then", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const { body } = await put(ada.token, enabled);
    expect(body.warnings).toMatchObject([{ code: "bypass_unavailable" }]);
    const factors: SecondFactors = {
      check: async () => false,
      enrolled: async (_, userId) => userId === ada.id,
    };
    const seat = { workspaceId: ada.workspaceId, role: "owner", plan: "ENTERPRISE" } as const;
    expect((await IpAllowlist.get(seat, factors)).warnings).toEqual([]);
  });

  test("is recorded with what it was before", async () => {
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

describe("once it is on", () => {
  const calls: [RouteKey, (home: Person & Home) => Ask][] = [
    ["GET /team", () => ({})],
    ["POST /team", () => ({ body: { name: "" } })],
    ["GET /team/{id}", ({ teamId }) => ({ path: { id: teamId } })],
    ["GET /team/{id}/members", ({ teamId }) => ({ path: { id: teamId } })],
    ["PATCH /team/{id}", ({ teamId }) => ({ path: { id: teamId }, body: { name: "" } })],
    ["GET /team/{id}/invitations", ({ teamId }) => ({ path: { id: teamId } })],
    ["POST /workspaces/{id}/leave", ({ workspaceId }) => ({ path: { id: workspaceId } })],
    ["POST /workspaces/{id}/transfer", ({ workspaceId }) => ({ path: { id: workspaceId }, body: {} })],
    ["GET /api/v1/security/ip-allowlist", () => ({})],
    ["GET /api/v1/security/login-map", () => ({})],
  ];
  test.each(calls)("%s from elsewhere is 403, and from inside it is not", async (route, ask) => {
    const ada = await owner("Ada", "ENTERPRISE");
    await put(ada.token, enabled);
    const out = await request(route, { ...ask(ada), token: ada.token, ip: elsewhere });
    expect([out.status, out.body.code]).toEqual([403, "ip_not_allowed"]);
    const inside = await request(route, { ...ask(ada), token: ada.token, ip: `::ffff:${here}` });
    expect(inside.body?.code).not.toBe("ip_not_allowed");
  });

  test("each refusal is in the audit log as denied", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    await put(ada.token, enabled);
    await request("GET /team", { token: ada.token, ip: elsewhere });
    const denied = await db()
      .selectFrom("events")
      .selectAll()
      .where("workspace_id", "=", ada.workspaceId)
      .where("action", "=", "security.ip_denied")
      .execute();
    expect(denied).toMatchObject([{ outcome: "denied", actor_id: ada.id, ip: elsewhere }]);
  });

  test("the address is judged before the role, and membership before the address", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const [bob, eve] = [await colleague(ada), await person()];
    await put(ada.token, enabled);
    const patch = (token: string) =>
      request("PATCH /team/{id}", { token, path: { id: ada.teamId }, body: { name: "" }, ip: elsewhere });
    expect((await patch(bob.token)).body.code).toBe("ip_not_allowed");
    expect((await patch(eve.token)).body.code).toBe("team_not_found");
  });

  test("no header lets anybody in", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    await put(ada.token, enabled);
    process.env.ORIGIN_SECRET = "a secret that only the router knows";
    const claims = [
      { "x-forwarded-for": here },
      { "x-viewer-ip": here },
      { "x-viewer-ip": here, "x-origin-secret": "a guess as long as the secret itself" },
      { forwarded: `for=${here}`, "x-real-ip": here, "cloudfront-viewer-address": `${here}:1` },
    ];
    const refused = [];
    for (const headers of claims)
      refused.push((await request("GET /team", { token: ada.token, ip: elsewhere, headers })).status);
    const headers = { "x-viewer-ip": here, "x-origin-secret": process.env.ORIGIN_SECRET };
    const routed = await request("GET /team", { token: ada.token, ip: elsewhere, headers });
    delete process.env.ORIGIN_SECRET;
    expect(refused).toEqual([403, 403, 403, 403]);
    expect(routed.status).toBe(200);
  });

  test("the person's own account is reached from anywhere, and so are other workspaces", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    await put(ada.token, enabled);
    const { body: other } = await request("POST /workspaces", { token: ada.token, body: { name: "Other" } });
    const headers = { "x-workspace-id": other.id };
    expect((await request("GET /team", { token: ada.token, ip: elsewhere, headers })).status).toBe(200);
    expect((await request("GET /auth/me", { token: ada.token, ip: elsewhere })).status).toBe(200);
  });

  test("it costs no round trip to the database: session, admission, list", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    await put(ada.token, enabled);
    const statements = await statementsOf(() => request("GET /team", { token: ada.token, ip: here }));
    expect(statements).toHaveLength(3);
    expect(statements[1]).toContain('"ip_allowlists"');
  });

  test("it holds nobody any more who has left the plan", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    await put(ada.token, enabled);
    await db().updateTable("workspaces").set({ plan: "PRO" }).where("id", "=", ada.workspaceId).execute();
    expect((await request("GET /team", { token: ada.token, ip: elsewhere })).status).toBe(200);
  });
});

describe("the emergency bypass", () => {
  const code = "123456";
  /** Everybody has this one code, and it works for ever. */
  const factors: SecondFactors = {
    check: async (_, proof) => proof.method === "totp" && proof.code === code,
    enrolled: async () => true,
  };
  const origin = { ip: elsewhere, userAgent: chrome, requestId: "test" };
  const ask = ({ email }: Person, more: Partial<Bypass.Bypass> = {}) => {
    const input = {
      email,
      password,
      method: "totp",
      code,
      reason: "The office is on fire",
      ...more,
    } as const;
    return Bypass.bypass(input, origin, factors);
  };
  const locked = async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    await put(ada.token, enabled);
    return ada;
  };

  test("lets an admin past the list for sixty minutes", async () => {
    const ada = await locked();
    const admin = await colleague(ada, "admin");
    const { token } = await ask(admin);
    const look = async () => (await request("GET /team", { token, ip: elsewhere })).status;
    expect(await look()).toBe(200);
    Clock.advance(60 * 60 - 5);
    expect(await look()).toBe(200);
    Clock.advance(6);
    expect(await look()).toBe(403);
    expect((await request("GET /auth/me", { token, ip: elsewhere })).status).toBe(200);
  });

  test("does not open the list of a workspace where the person is no admin", async () => {
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
    const { token } = await ask(ada);
    const headers = { "x-workspace-id": other.workspaceId };
    expect((await request("GET /team", { token, ip: elsewhere, headers })).body.code).toBe("ip_not_allowed");
  });

  test("mails every admin and is in the audit log with its reason", async () => {
    const ada = await locked();
    const [admin, manager] = [await colleague(ada, "admin"), await colleague(ada, "manager")];
    await ask(admin);
    const told = mails.filter(
      ({ subject, text }) => subject.startsWith("Emergency") && text.includes(elsewhere),
    );
    const to = told.map((mail) => mail.to);
    expect([to.includes(ada.email), to.includes(admin.email), to.includes(manager.email)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(told.every(({ html }) => html.includes("The office is on fire"))).toBe(true);
    const event = await db()
      .selectFrom("events")
      .selectAll()
      .where("action", "=", "security.emergency_bypass")
      .where("workspace_id", "=", ada.workspaceId)
      .executeTakeFirstOrThrow();
    expect([event.actor_id, event.changes.reason]).toEqual([
      admin.id,
      { before: null, after: "The office is on fire" },
    ]);
  });

  test("needs the password and the factor, and says no more than that", async () => {
    const ada = await locked();
    const nobody = { ...ada, email: "nobody@nowhere.test" };
    const refused = { kind: "unauthenticated", code: "invalid_credentials" };
    await expect(ask(ada, { password: "wrong" })).rejects.toMatchObject(refused);
    await expect(ask(ada, { code: "000000" })).rejects.toMatchObject(refused);
    await expect(ask(ada, { method: "backup_code" })).rejects.toMatchObject(refused);
    await expect(ask(nobody)).rejects.toMatchObject(refused);
  });

  test("is locked after five failures like every other login", async () => {
    const ada = await locked();
    for (let n = 0; n < 5; n++) await expect(ask(ada, { code: "000000" })).rejects.toThrow();
    await expect(ask(ada)).rejects.toMatchObject({ code: "account_temporarily_locked" });
    const login = await request("POST /auth/login", { body: { email: ada.email, password } });
    expect(login.body.code).toBe("account_temporarily_locked");
  });

  test("cannot be used by a member, nor where no list is on", async () => {
    const ada = await locked();
    const bob = await colleague(ada, "manager");
    await expect(ask(bob)).rejects.toMatchObject({ kind: "forbidden", code: "bypass_not_available" });
    const open = await owner("Olga", "ENTERPRISE");
    await expect(ask(open)).rejects.toMatchObject({ code: "bypass_not_available" });
  });

  test("wants a reason", async () => {
    const ada = await locked();
    const body = { email: ada.email, password, method: "totp", code };
    const answer = await request("POST /auth/emergency-bypass", { body: { ...body, reason: "please" } });
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, "/reason"]);
    const wrong = await request("POST /auth/emergency-bypass", {
      body: { ...body, code: "000000", reason: "The office is on fire" },
    });
    expect([wrong.status, wrong.body.code]).toEqual([401, "invalid_credentials"]);
  });
});

describe("the login map", () => {
  const login = ({ email }: Person, ip: string) =>
    request("POST /auth/login", { ip, headers: { "user-agent": chrome }, body: { email, password } });

  test("gathers the workspace's logins by place", async () => {
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

  test("is for admins of an ENTERPRISE workspace", async () => {
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
