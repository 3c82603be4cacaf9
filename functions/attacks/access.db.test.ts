import * as Clock from "@svc/core/base/clock";
import { db } from "@svc/core/platform/db/engine";
import { authenticator } from "@svc/core/testing/authenticator";
import { withApp } from "@svc/core/testing/factors";
import {
  colleague,
  type Home,
  owner,
  type Person,
  password,
  reauthenticated,
} from "@svc/core/testing/people";
import { afterEach, describe, expect, it } from "vitest";
import type { Handler } from "../http/api.ts";
import { load } from "../load.ts";
import { type Caller, type RouteKey, routes } from "../routes.ts";
import { request } from "../testing/request.ts";

afterEach(() => Clock.reset());

const here = "192.0.2.10";
const elsewhere = "198.51.100.1";

const enterprise = () => owner("Ada", "ENTERPRISE");
const createToken = (user: Person, workspaceId: string, { scope = "read", ip = here } = {}) =>
  request("POST /user/tokens", {
    token: user.token,
    ip,
    body: { name: "CI", scopes: [scope], workspaceId },
  });
const tracked = { startedAt: "2026-11-20T09:00:00Z", endedAt: "2026-11-20T10:00:00Z" };

describe("a session left open on someone else's screen", () => {
  const attacks = {
    "transfer the workspace": async () => {
      const ada = await enterprise();
      const { id: userId } = await colleague(ada);
      const path = { id: ada.workspaceId };
      const attempt = () =>
        request("POST /workspaces/{id}/transfer", { token: ada.token, path, body: { userId } });
      return { ada, attempt, done: 200 };
    },
    "create an API token": async () => {
      const ada = await enterprise();
      return { ada, attempt: () => createToken(ada, ada.workspaceId, { scope: "admin" }), done: 201 };
    },
    "suspend a member": async () => {
      const ada = await enterprise();
      const path = { userId: (await colleague(ada)).id };
      const body = { status: "suspended" };
      const attempt = () =>
        request("PATCH /api/v1/workspace/members/{userId}", { token: ada.token, path, body });
      return { ada, attempt, done: 200 };
    },
    "remove a member": async () => {
      const ada = await enterprise();
      const path = { userId: (await colleague(ada)).id };
      const attempt = () => request("DELETE /api/v1/workspace/members/{userId}", { token: ada.token, path });
      return { ada, attempt, done: 204 };
    },
    "suspend a team's member": async () => {
      const ada = await enterprise();
      const path = { id: ada.teamId, userId: (await colleague(ada)).id };
      const body = { status: "suspended" };
      const attempt = () => request("PATCH /team/{id}/members/{userId}", { token: ada.token, path, body });
      return { ada, attempt, done: 200 };
    },
  };
  const reauthenticate = ({ token }: Person) =>
    request("POST /auth/reauthenticate", { token, body: { password } });

  it.each(Object.entries(attacks))(
    "cannot %s without the password of the last ten minutes",
    async (_, of) => {
      const { ada, attempt, done } = await of();
      const refused = await attempt();
      expect([refused.status, refused.body.code]).toEqual([403, "reauthentication_required"]);
      await reauthenticate(ada);
      Clock.advance(600);
      expect((await attempt()).body.code).toBe("reauthentication_required");
      await reauthenticate(ada);
      expect((await attempt()).status).toBe(done);
    },
  );

  it("still changes a member's role, and an API token of scope admin still suspends them", async () => {
    const ada = await enterprise();
    const path = { id: ada.teamId, userId: (await colleague(ada)).id };
    const change = async (token: string, body: object) =>
      (await request("PATCH /team/{id}/members/{userId}", { token, path, body })).status;
    expect(await change(ada.token, { role: "manager" })).toBe(200);
    await reauthenticated(ada);
    const { token } = (await createToken(ada, ada.workspaceId, { scope: "admin" })).body;
    Clock.advance(3600);
    expect(await change(token, { status: "suspended" })).toBe(200);
    expect(await change(ada.token, { status: "active" })).toBe(200);
  });
});

describe("an IP allowlist, seen from an IP address that is not on it", () => {
  /** Creates an owner whose workspace allows only `here`, with an entry of the owner. */
  async function restricted(): Promise<Person & Home> {
    const ada = await enterprise();
    await request("POST /api/v1/time-entries", {
      token: ada.token,
      body: { description: "Secret", ...tracked },
    });
    const body = { enabled: true, entries: [{ cidr: "192.0.2.0/24" }] };
    await request("PUT /api/v1/security/ip-allowlist", { token: ada.token, ip: here, body });
    return ada;
  }
  const exported = async ({ token }: Person, ip = elsewhere) =>
    (await request("GET /user/export", { token, ip })).body;

  it("leaves the workspace out of the account's export, names it and records the denial", async () => {
    const ada = await restricted();
    const open = (await request("POST /workspaces", { token: ada.token, body: { name: "Open" } })).body.id;
    const body = { description: "Public", ...tracked };
    const headers = { "x-workspace-id": open };
    await request("POST /api/v1/time-entries", { token: ada.token, ip: elsewhere, headers, body });

    const outside = await exported(ada);
    expect(outside.omitted).toEqual([
      { workspaceId: ada.workspaceId, name: "Home", reason: "ip_not_allowed" },
    ]);
    expect(outside.timeEntries).toMatchObject([{ description: "Public", workspaceId: open }]);
    expect(outside.ownWorkspaces.map(({ id }: { id: string }) => id)).toEqual([open]);
    expect(outside.events.map((event: { workspaceId: string }) => event.workspaceId)).not.toContain(
      ada.workspaceId,
    );
    const denials = await db()
      .selectFrom("events")
      .select(["actor_id", "ip"])
      .where("workspace_id", "=", ada.workspaceId)
      .where("action", "=", "security.ip_denied")
      .execute();
    expect(denials).toEqual([{ actor_id: ada.id, ip: elsewhere }]);

    const inside = await exported(ada, here);
    expect(inside.omitted).toEqual([]);
    expect(inside.timeEntries).toHaveLength(2);
    expect(inside.ownWorkspaces).toHaveLength(2);
  });

  it("leaves it out of the export of a former member as well", async () => {
    const ada = await restricted();
    const bob = await colleague(ada);
    const track = { token: bob.token, ip: here, body: { description: "Secret", ...tracked } };
    expect((await request("POST /api/v1/time-entries", track)).status).toBe(201);
    await request("POST /workspaces/{id}/leave", {
      token: bob.token,
      path: { id: ada.workspaceId },
      ip: here,
    });
    const outside = await exported(bob);
    expect(outside.omitted).toMatchObject([{ workspaceId: ada.workspaceId }]);
    expect(JSON.stringify([outside.timeEntries, outside.events])).not.toContain(ada.workspaceId);
    expect((await exported(bob, here)).timeEntries).toHaveLength(1);
  });

  it("exports it to an admin during the emergency bypass", async () => {
    const ada = await restricted();
    await db()
      .updateTable("sessions")
      .set({ bypass_until: new Date(Clock.now().getTime() + 60_000) })
      .where("id", "=", ada.sessionId)
      .execute();
    expect(await exported(ada)).toMatchObject({ omitted: [], timeEntries: [{ description: "Secret" }] });
  });

  it("returns 403 ip_not_allowed for a new API token", async () => {
    const ada = await reauthenticated(await restricted());
    const refused = await createToken(ada, ada.workspaceId, { ip: elsewhere });
    expect([refused.status, refused.body.code]).toEqual([403, "ip_not_allowed"]);
    expect((await request("GET /user/tokens", { token: ada.token })).body.data).toEqual([]);
    expect((await createToken(ada, ada.workspaceId)).status).toBe(201);
  });

  it("ends the URLs of report files, which work from everywhere, after ten minutes", async () => {
    const ada = await restricted();
    const [id, now] = [`rep_${ada.id.slice(4)}`, Clock.now()];
    const expires_at = new Date(now.getTime() + 86_400_000);
    const file = {
      type: "summary",
      format: "csv",
      size_bytes: 1,
      everybodys: true,
      created_at: now,
      expires_at,
    };
    await db()
      .insertInto("reports")
      .values({ id, workspace_id: ada.workspaceId, user_id: ada.id, ...file })
      .execute();
    const { body } = await request("GET /api/v1/reports/{id}", { token: ada.token, path: { id }, ip: here });
    expect(new URL(body.signedUrl).searchParams.get("X-Amz-Expires")).toBe("600");
    const left = Date.parse(body.expiresAt) - Clock.now().getTime();
    expect(left).toBeLessThanOrEqual(600_000);
  });
});

describe("a workspace that requires two-factor authentication", () => {
  const patch = ({ token }: { token: string }, requireTwoFactor: boolean, more: object = {}) =>
    request("PATCH /api/v1/workspace", { token, body: { requireTwoFactor }, ...more });
  const codeOf = async (answer: ReturnType<typeof request>) => (await answer).body?.code;

  /** Creates a workspace whose owner has a second factor and requires it. */
  async function requiring(): Promise<Person & Home> {
    const ada = await enterprise();
    await withApp(ada);
    expect((await patch(ada, true)).body).toMatchObject({ requireTwoFactor: true });
    return ada;
  }

  it("refuses a member with only a password on every route of the workspace, and their API tokens", async () => {
    const ada = await enterprise();
    const bob = await reauthenticated(await colleague(ada, "admin"));
    const { token } = (await createToken(bob, ada.workspaceId, { scope: "admin" })).body;
    await withApp(ada);
    await patch(ada, true);
    const open: string[] = [];
    let checked = 0;
    for (const key of Object.keys(routes) as RouteKey[]) {
      const { steps } = (await load<Handler>(routes[key].handler)).contract;
      if (!steps.some(({ codes }) => codes?.forbidden?.includes("ip_not_allowed"))) continue;
      const caller: Caller = routes[key].caller;
      const id = key.includes("/workspaces/") ? ada.workspaceId : key.includes("/team/") ? ada.teamId : "x";
      const body =
        key === "POST /user/tokens" ? { name: "CI", scopes: ["read"], workspaceId: ada.workspaceId } : [];
      const path = { id, code: "USD", userId: "x", invitationId: "x" };
      for (const credential of typeof caller === "object" ? [bob.token, token] : [bob.token]) {
        const code = await codeOf(request(key, { token: credential, path, body }));
        if (code !== "two_factor_required") open.push(`${key}: ${code}`);
        checked += 1;
      }
    }
    expect(open).toEqual([]);
    expect(checked).toBeGreaterThan(100);
    expect((await request("GET /auth/me", { token: bob.token })).body).toMatchObject({
      twoFactorEnabled: false,
      workspaces: [{ id: ada.workspaceId, requireTwoFactor: true }],
    });
  });

  it("accepts an authenticator app once it is confirmed, and a passkey", async () => {
    const ada = await requiring();
    const [bob, cy] = [
      await reauthenticated(await colleague(ada)),
      await reauthenticated(await colleague(ada)),
    ];
    const look = async ({ token }: Person) => (await request("GET /team", { token })).status;
    await request("POST /user/2fa/totp", { token: bob.token });
    expect([await look(bob), await look(cy)]).toEqual([403, 403]);
    await withApp(bob);
    const { challenge } = (await request("POST /user/2fa/webauthn/options", { token: cy.token })).body;
    const body = { credential: authenticator().register({ challenge }), name: "Key" };
    const { id } = (await request("POST /user/2fa/webauthn", { token: cy.token, body })).body;
    expect([await look(bob), await look(cy)]).toEqual([200, 200]);
    await request("DELETE /user/2fa/webauthn/{id}", { token: cy.token, path: { id } });
    expect([await look(bob), await look(cy)]).toEqual([200, 403]);
  });

  it("omits the workspace from the export of a member with only a password, and refuses them an API token", async () => {
    const ada = await requiring();
    const bob = await reauthenticated(await colleague(ada));
    const omitted = [{ workspaceId: ada.workspaceId, name: "Home", reason: "two_factor_required" }];
    expect((await request("GET /user/export", { token: bob.token })).body.omitted).toEqual(omitted);
    expect(await codeOf(createToken(bob, ada.workspaceId))).toBe("two_factor_required");
  });

  it("checks the membership, the IP address, the second factor, the plan and the role, in this order", async () => {
    const ada = await requiring();
    const [bob, eve] = [await colleague(ada), await enterprise()];
    const allowlist = { enabled: true, entries: [{ cidr: "192.0.2.0/24" }] };
    await request("PUT /api/v1/security/ip-allowlist", { token: ada.token, ip: here, body: allowlist });
    const headers = { "x-workspace-id": ada.workspaceId };
    const look = ({ token }: Person, ip: string) =>
      codeOf(request("GET /api/v1/security/ip-allowlist", { token, ip, headers }));
    expect(await look(eve, elsewhere)).toBe("workspace_not_found");
    expect(await look(bob, elsewhere)).toBe("ip_not_allowed");
    expect(await look(bob, here)).toBe("two_factor_required");
    await withApp(bob);
    expect(await look(bob, here)).toBe("insufficient_role");
  });

  it("enforces it only on the ENTERPRISE plan, where alone it can be turned on", async () => {
    const ada = await requiring();
    const bob = await colleague(ada);
    await db().updateTable("workspaces").set({ plan: "PRO" }).where("id", "=", ada.workspaceId).execute();
    expect((await request("GET /team", { token: bob.token })).status).toBe(200);
    expect((await patch(ada, true)).status).toBe(200);
    for (const value of ["yes", null]) {
      const answer = await request("PATCH /api/v1/workspace", {
        token: ada.token,
        body: { requireTwoFactor: value },
      });
      expect(answer.body).toMatchObject({ code: "plan_upgrade_required", requiredPlan: "ENTERPRISE" });
    }
    expect((await patch(await reauthenticated(ada), false)).body).toMatchObject({ requireTwoFactor: false });
    expect(await codeOf(patch(ada, true))).toBe("plan_upgrade_required");
  });

  it("can be turned on only by an admin who has a second factor", async () => {
    const ada = await enterprise();
    const manager = await colleague(ada, "manager");
    expect(await codeOf(patch(ada, true))).toBe("two_factor_required");
    await withApp(manager);
    expect(await codeOf(patch(manager, true))).toBe("insufficient_role");
    await withApp(ada);
    expect((await patch(ada, true)).status).toBe(200);
    expect((await request("GET /api/v1/workspace", { token: ada.token })).body.requireTwoFactor).toBe(true);
    const { changes } = await db()
      .selectFrom("events")
      .select("changes")
      .where("workspace_id", "=", ada.workspaceId)
      .where("action", "=", "workspace.updated")
      .executeTakeFirstOrThrow();
    expect(changes).toEqual({ requireTwoFactor: { before: false, after: true } });
  });

  it("can be turned off only after reauthentication, or by an API token of scope admin", async () => {
    const ada = await requiring();
    expect(await codeOf(patch(ada, false))).toBe("reauthentication_required");
    expect((await patch(ada, true)).status).toBe(200);
    const { token } = (await createToken(await reauthenticated(ada), ada.workspaceId, { scope: "admin" }))
      .body;
    expect((await patch(ada, false)).body).toMatchObject({ requireTwoFactor: false });
    await patch(ada, true);
    Clock.advance(3600);
    expect(await codeOf(patch(ada, false))).toBe("reauthentication_required");
    expect((await patch({ token }, false)).status).toBe(200);
  });
});
